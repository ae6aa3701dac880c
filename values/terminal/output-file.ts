import { randomBytes } from 'node:crypto';
import { fstatSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandFailed, UsageError } from '../failure.ts';
import { explainFileError } from './file-error.ts';

const STDOUT = 1;

const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

export type OutputFile = ReturnType<typeof outputFile>;

export const createNew = (name: string): Promise<OutputFile> =>
  orFailed(name, async () => {
    await refuseTakenName(name);
    return privateFile(name, name);
  });

/** Give the file's name to `keep`. */
export const createIn = (folder: string): Promise<OutputFile> =>
  orFailed(folder, () => privateFile(folder, join(folder, 'new')));

async function privateFile(name: string, path: string): Promise<OutputFile> {
  const temporaryPath = temporaryName(path);
  return outputFile({ name, path, temporaryPath }, await fs.open(temporaryPath, 'wx', 0o600), takeFreeName);
}

export async function createOrReplace(name: string): Promise<OutputFile> {
  // If the name is a symbolic link, the link stays and its target is replaced.
  const path = await fs.realpath(name).catch(() => name);
  const replaced = await fs.stat(path).catch(() => undefined);
  if (replaced !== undefined && !replaced.isFile())
    throw new UsageError(`${name} is not a file. Give the name of a file.`);
  return orFailed(name, async () => {
    const temporaryPath = temporaryName(path);
    const handle = await fs.open(temporaryPath, 'ax');
    if (replaced !== undefined) await handle.chmod(replaced.mode & 0o777);
    return outputFile({ name, path, temporaryPath }, handle, fs.rename);
  });
}

function outputFile(
  { name, path, temporaryPath }: Record<'name' | 'path' | 'temporaryPath', string>,
  handle: fs.FileHandle,
  take: (from: string, to: string) => Promise<void>,
) {
  let isComplete = false;
  return {
    temporaryPath,
    isComplete: () => isComplete,
    write: (bytes: Uint8Array) => orFailed(name, () => handle.writeFile(bytes)),

    /** Only for files from `createOrReplace`. These are opened to append, so the next write begins at 0. */
    clear: () => orFailed(name, () => handle.truncate(0)),

    /** Call `finish` before `keep`. */
    finish: () =>
      orFailed(name, async () => {
        await handle.sync();
        await handle.close();
      }),

    keep: (as?: string) =>
      orFailed(as ?? name, async () => {
        const kept = as ?? path;
        await take(temporaryPath, kept);
        isComplete = true;
        await fs.rm(temporaryPath, { force: true });
        // The new name is on the disk only after the folder is flushed.
        const folder = await fs.open(dirname(kept));
        await folder.sync().finally(() => folder.close());
      }),

    /** Also removes files that SQLite left. This is synchronous, because the process may be about to end. */
    discard(): void {
      handle.close().catch(() => {});
      for (const ending of ['', '-journal', '-wal', '-shm'])
        rmSync(`${temporaryPath}${ending}`, { force: true });
    },
  };
}

/** Unlike a rename, a link never replaces a file that another program has made meanwhile. */
async function takeFreeName(from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken(to);
    if (!NO_LINKS.has(code)) throw error;
    await refuseTakenName(to);
    await fs.rename(from, to);
  }
}

/** Returns the same text for all names of a file. Returns the path if the file does not exist. */
export async function inodeOf(name: string | undefined): Promise<string> {
  try {
    const { dev, ino } = name === undefined ? fstatSync(STDOUT) : await fs.stat(name);
    return `${dev} ${ino}`;
  } catch {
    const folder = resolve(dirname(name ?? ''));
    return join(await fs.realpath(folder).catch(() => folder), basename(name ?? ''));
  }
}

const temporaryName = (path: string) => `${path}.incomplete-${randomBytes(4).toString('hex')}`;

async function refuseTakenName(name: string): Promise<void> {
  const found = await fs.lstat(name).catch(() => undefined);
  if (found !== undefined) throw taken(name);
}

const taken = (name: string) =>
  new CommandFailed(`${name} exists, and it is not replaced. Give another name.`);

async function orFailed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${name} can't be written: ${explainFileError(error)}`);
  }
}
