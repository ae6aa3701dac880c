import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** A path from the root of the repository, or the name of a package. */
  to: string;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const known = new Map<string, readonly string[]>();

/** The imports and re-exports of a file, with types, in the form that the formatter writes. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[\w\s{},*$]*?\sfrom\s)?'([^']+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^']+)'/g);
  return [...statements, ...calls].map(([, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? posix.join(posix.dirname(path), name) : name,
  }));
}

/**
 * The files of the repository that a file imports or starts, and the file itself, each with the length of the
 * shortest chain of imports to it.
 */
export function importDistances(path: string): ReadonlyMap<string, number> {
  const distances = new Map([[path, 0]]);
  // Iterating over a map also visits entries that the loop adds.
  for (const [file, distance] of distances)
    for (const used of filesUsedBy(file)) if (!distances.has(used)) distances.set(used, distance + 1);
  return distances;
}

function filesUsedBy(path: string): readonly string[] {
  let files = known.get(path);
  if (files === undefined) {
    const text = readFileSync(`${ROOT}${path}`, 'utf8');
    const started = [...text.matchAll(/\bnew URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map(
      ([, name = '']) => posix.join(posix.dirname(path), name),
    );
    files = [...importsOf({ path, text }).map(({ to }) => to), ...started].filter(isCode);
    known.set(path, files);
  }
  return files;
}

const isCode = (path: string) => /\.[jt]sx?$/.test(path) && existsSync(`${ROOT}${path}`);
