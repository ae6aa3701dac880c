import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailed } from '../../../values/failure.ts';
import { explainFileError } from '../../../values/terminal/file-error.ts';
import { createIn } from '../../../values/terminal/output-file.ts';
import type { ArchiveFile, ArchiveFiles } from '../../operate/archive/archive-options.ts';

export async function openArchiveFolder(path: string): Promise<ArchiveFiles & { discard(): void }> {
  await orFailed(path, makeFolder);
  let last: ArchiveFile | undefined;
  return {
    create: async () => {
      last = await createFile(path);
      return last;
    },
    // Only the last file can be unfinished: callers keep or discard a file before they create another.
    discard: () => last?.discard(),
    readText: (name) => orFailed(join(path, name), readIfThere),
    readLines: (name) => readLines(join(path, name)),
    remove: (name) => orFailed(join(path, name), (file) => fs.rm(file, { force: true })),
  };
}

/** Replaces Node's recursive mkdir, which never returns in a folder such as /proc. */
async function makeFolder(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  await makeFolder(dirname(path));
  await fs.mkdir(path, { mode: 0o700 });
}

async function orFailed<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result> {
  try {
    return await work(path);
  } catch (error) {
    throw asFailed(path, error);
  }
}

const asFailed = (path: string, error: unknown) =>
  error instanceof CommandFailed
    ? error
    : new CommandFailed(`${path} can't be used: ${explainFileError(error)}`);

async function createFile(folder: string): Promise<ArchiveFile> {
  const file = await createIn(folder);
  return {
    write: (text) => file.write(Buffer.from(text)),
    keep: async (name) => {
      await file.finish();
      const path = join(folder, name);
      const isThere = existsSync(path);
      const isSame =
        isThere && (await orFailed(path, digestOf)) === (await orFailed(file.temporaryPath, digestOf));
      if (!isSame) await file.keep(path);
    },
    discard: () => file.discard(),
  };
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await fs.readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  if (!existsSync(path)) return;
  let unfinished = '';
  try {
    for await (const piece of createReadStream(path, 'utf8')) {
      // node:readline would also end a line at U+2028 and U+2029, which cells can contain.
      const lines = (unfinished + piece).split(/(?<=\n)/);
      unfinished = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    throw asFailed(path, error);
  }
  if (unfinished !== '') yield unfinished;
}
