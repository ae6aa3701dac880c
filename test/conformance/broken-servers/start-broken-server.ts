import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningServer, startServer } from '../right-server/server.ts';
import type { ServiceOptions } from '../right-server/service.ts';
import type { Defect } from './defect.ts';

const FOLDER = new URL('../right-server/', import.meta.url);

const loaded = new Map<string, Defect>();

/** What each file imports, without types. */
const imports = new Map<string, string[]>();

/**
 * The broken module, and those that import it, have the name of the defect in their addresses, so that they are modules
 * of this server alone. It shares all others with the right server: to load them for each would take most of the time.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const name = new URL(context.parentURL ?? FOLDER).searchParams.get('defect') ?? '';
    const defect = loaded.get(name);
    const isAffected = defect !== undefined && reaches(resolved.url, new URL(defect.file, FOLDER).href);
    return isAffected ? { ...resolved, url: addressOf(resolved.url, name) } : resolved;
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

/** Whether a module is another one, or imports it, itself or through others. */
function reaches(url: string, target: string): boolean {
  if (url === target) return true;
  return url.startsWith(FOLDER.href) && importsOf(url).some((one) => reaches(one, target));
}

function importsOf(url: string): string[] {
  const known = imports.get(url);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(url), 'utf8');
  const found = text.matchAll(/^(?:import(?! type)|\}) .*?from '(\.[^']+)';$/gm);
  const urls = [...found].map(([, path = '']) => new URL(path, url).href);
  imports.set(url, urls);
  return urls;
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
