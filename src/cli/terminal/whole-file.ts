import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailed, UsageError } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';

/**
 * A file that is written under another name beside its own, and takes its own name when it is complete. Until then, a file
 * with that name stays as it is.
 *
 * Every method throws CommandFailed if the disk fails.
 */
export class WholeFile {
  /** As the user typed it. */
  readonly #name: string;
  readonly #path: string;
  readonly #temporaryPath: string;
  readonly #handle: FileHandle;

  private constructor(name: string, path: string, temporaryPath: string, handle: FileHandle) {
    this.#name = name;
    this.#path = path;
    this.#temporaryPath = temporaryPath;
    this.#handle = handle;
  }

  /** Throws: UsageError if the name is that of something else than a file, such as a folder or a device. */
  static async create(name: string): Promise<WholeFile> {
    // A link stays, and the file that it leads to is replaced.
    const path = await realpath(name).catch(() => name);
    const replaced = await stat(path).catch(() => undefined);
    if (replaced !== undefined && !replaced.isFile())
      throw new UsageError(`${name} is not a file. Give the name of a file.`);
    const temporaryPath = `${path}.incomplete-${randomBytes(4).toString('hex')}`;
    return orFailed(name, async () => {
      const handle = await open(temporaryPath, 'wx');
      if (replaced !== undefined) await handle.chmod(replaced.mode & 0o777);
      return new WholeFile(name, path, temporaryPath, handle);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return orFailed(this.#name, () => this.#handle.writeFile(bytes));
  }

  /** Writes everything to the disk. Call it before `keep`. */
  finish(): Promise<void> {
    return orFailed(this.#name, async () => {
      await this.#handle.sync();
      await this.#handle.close();
    });
  }

  /** Gives the file its name. */
  keep(): Promise<void> {
    return orFailed(this.#name, async () => {
      await rename(this.#temporaryPath, this.#path);
      // The name is on the disk once the folder is.
      const folder = await open(dirname(this.#path));
      await folder.sync().finally(() => folder.close());
    });
  }

  /** Removes the file, unless it has its name. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#temporaryPath, { force: true });
  }
}

async function orFailed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new CommandFailed(`${name} can't be written: ${sentence((error as Error).message)}`);
  }
}
