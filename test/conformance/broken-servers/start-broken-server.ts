import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningServer, startServer } from '../right-server/server.ts';
import type { ServiceOptions } from '../right-server/service.ts';
import type { Defect } from './defect.ts';

const FOLDER = new URL('../right-server/', import.meta.url);

const loaded = new Map<string, Defect>();

/** Every module of a broken server has the name of its defect in its address, so that it is a module of its own. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const name = new URL(context.parentURL ?? FOLDER).searchParams.get('defect');
    if (name === null || !resolved.url.startsWith(FOLDER.href)) return resolved;
    return { ...resolved, url: addressOf(resolved.url, name) };
  },
  load(url, context, nextLoad) {
    const name = url.startsWith(FOLDER.href) ? new URL(url).searchParams.get('defect') : null;
    const defect = loaded.get(name ?? '');
    if (defect === undefined) return nextLoad(url, context);
    return { format: 'module-typescript', source: readBroken(url, defect), shortCircuit: true };
  },
});

/** Starts the right server with one defect. */
export async function startBrokenServer(defect: Defect, options: ServiceOptions): Promise<RunningServer> {
  loaded.set(defect.name, defect);
  const server = await import(addressOf(new URL('server.ts', FOLDER).href, defect.name));
  return (server.startServer as typeof startServer)(options);
}

/** The text of a file of the right server with the defect in it. */
export function applyDefect({ name, file, edits }: Defect): string {
  let text = readFileSync(new URL(file, FOLDER), 'utf8');
  for (const [from, to] of edits) {
    if (text.split(from).length !== 2)
      throw new Error(`${name}: ${file} does not have this text once: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

function addressOf(url: string, name: string): string {
  return `${url}?defect=${encodeURIComponent(name)}`;
}

function readBroken(url: string, defect: Defect): string {
  const path = fileURLToPath(url);
  return path === fileURLToPath(new URL(defect.file, FOLDER))
    ? applyDefect(defect)
    : readFileSync(path, 'utf8');
}
