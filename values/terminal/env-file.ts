import { closeSync, openSync, readSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CommandFailed, UsageError } from '../failure.ts';
import { explainFileError } from './file-error.ts';

interface EnvFile {
  variables: Readonly<Record<string, string | undefined>>;
  faults: string[];
}

/** SETTINGS has the same name. SETTINGS is not imported, so that the client's file stays small. */
const PATH_VARIABLE = 'ENV_FILE';

const MAX_BYTES = 1_048_576;

/** Checks lines, because Node.js silently skips or shortens those that it can't read. */
export function readEnvFile(names: readonly string[], { isOurs }: { isOurs: boolean }): EnvFile {
  const given = process.env[PATH_VARIABLE];
  const path = given ?? '.env';
  const text = readText(path, { isNeeded: given !== undefined });
  if (text === undefined)
    return { variables: {}, faults: [`The file ${path} is not a text in UTF-8; save it as UTF-8.`] };
  // A line that begins with `=` gets the name ''. The line is reported as a fault below.
  const { '': _unnamed, ...variables } = parseEnv(text);
  const lineOf = new Map<string, number>();
  const faults = text.split('\n').flatMap((line, index) => {
    const [, name = '', rest = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)(.*)$/s.exec(line) ?? [];
    const first = lineOf.get(name);
    const fault = names.includes(name)
      ? explainLine(name, rest, first)
      : isOurs
        ? explainOther(name, line)
        : undefined;
    lineOf.set(name, first ?? index + 1);
    return fault === undefined ? [] : [`Line ${index + 1} of ${path} ${fault}`];
  });
  return { variables, faults };
}

/** Returns undefined if the file is not UTF-8: some editors write UTF-16. */
function readText(path: string, { isNeeded }: { isNeeded: boolean }): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readBounded(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isNeeded) return '';
    // The exit status of a UsageError keeps systemd from restarting the program again and again.
    if (isNeeded)
      throw new UsageError(`${PATH_VARIABLE} names ${path}, which can't be read: ${explainFileError(error)}`);
    throw new CommandFailed(`The file ${path} can't be read: ${explainFileError(error)}`);
  }
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The file can be a pipe or a device, which may have no end. */
function readBounded(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    for (let length = 0; length < MAX_BYTES; ) {
      const read = readSync(file, bytes, length, MAX_BYTES - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
    throw new Error('it has more than 1 MiB.');
  } finally {
    closeSync(file);
  }
}

/** The line is not printed, because it can be part of a secret. */
function explainOther(name: string, line: string): string | undefined {
  if (name === '__proto__') return 'has __proto__, which is not a setting.';
  if (/^\s*(?:#|$)|[^\s=].*=/s.test(line)) return undefined;
  return 'is neither NAME=VALUE nor a comment; correct it, or begin it with #.';
}

function explainLine(name: string, rest: string, first: number | undefined): string | undefined {
  if (name === PATH_VARIABLE) return `has ${name}, which only the environment can have.`;
  const [, written] = /^\s*=\s*(.*?)\s*$/s.exec(rest) ?? [];
  if (written === undefined) return `has ${name} without an equals sign; write ${name}=VALUE.`;
  if (first !== undefined) return `has ${name} again, after line ${first}; keep one of the two.`;
  return isReadWhole(written)
    ? undefined
    : `has a value of ${name} that is not read whole; write it on one line in single quotes: ${name}='VALUE'.`;
}

/**
 * False if Node.js would read only a part of the value. From `abc#d` without quotes, it reads `abc`. In
 * `abc #d`, a space comes before the #, so the rest is a comment.
 */
const isReadWhole = (written: string) =>
  /^['"`]/.test(written)
    ? /^(['"`])(?:(?!\1).)*\1\s*(?:#.*)?$/s.test(written)
    : parseEnv(`A=${written}`)['A']?.trimEnd() === written.replace(/(?:^|\s+)#.*$/s, '');
