import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ArchiveFile, ArchiveFiles } from '../../../operate/archive/archive-options.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { sentence } from '../../../values/sentence.ts';

/**
 * The folder of the files of archives, which only its owner can read. It is made if it does not exist.
 *
 * Its methods throw CommandFailed if the disk fails.
 */
export async function openArchiveFolder(path: string): Promise<ArchiveFiles> {
  const orFailed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      throw new CommandFailed(`The folder ${path} can't be used: ${sentence((error as Error).message)}`);
    }
  };
  await orFailed(() => fs.mkdir(path, { recursive: true, mode: 0o700 }));
  return {
    create: () => orFailed(() => createFile(path, orFailed)),
    readText: (name) => orFailed(() => readIfThere(join(path, name))),
    readLines: (name) => readLines(join(path, name)),
    remove: (name) => orFailed(() => fs.rm(join(path, name), { force: true })),
  };
}

async function createFile(
  folder: string,
  orFailed: <Result>(work: () => Promise<Result>) => Promise<Result>,
): Promise<ArchiveFile> {
  const temporaryPath = join(folder, `incomplete-${randomBytes(6).toString('hex')}`);
  const handle = await fs.open(temporaryPath, 'wx', 0o600);
  return {
    write: (text) => orFailed(() => handle.writeFile(text)),
    keep: (name) =>
      orFailed(async () => {
        await handle.sync();
        const path = join(folder, name);
        // Unlike a renaming, a link never replaces a file.
        await fs.link(temporaryPath, path).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          if (!(await isSameFile(temporaryPath, path)))
            throw new CommandFailed(
              `${path} exists with another content, and it is not replaced. Give another folder.`,
            );
        });
        const directory = await fs.open(folder);
        await directory.sync().finally(() => directory.close());
      }),
    discard: () => {
      handle.close().catch(() => {});
      rmSync(temporaryPath, { force: true });
    },
  };
}

async function isSameFile(left: string, right: string): Promise<boolean> {
  const theirs = createReadStream(right)[Symbol.asyncIterator]();
  for await (const piece of createReadStream(left)) {
    const other = await theirs.next();
    if (other.done === true || !(piece as Buffer).equals(other.value as Buffer)) return false;
  }
  return (await theirs.next()).done === true;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await fs.readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* readLines(path: string): AsyncGenerator<string, undefined> {
  if (!existsSync(path)) return undefined;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  // Every line of CSV ends like this, and no cell has a line end.
  for await (const line of lines) yield `${line}\r\n`;
  return undefined;
}
