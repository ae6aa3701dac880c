import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandFailed } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';

/** A file system without hard links reports one of these. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/**
 * A file that replaces no other and that only its owner can read. Another program fills it under another name beside its own, and it takes its
 * own name when it is complete.
 */
export class NewFile {
  readonly #name: string;
  /** The name until it is complete. */
  readonly temporaryPath: string;
  #isComplete = false;

  private constructor(name: string, temporaryPath: string) {
    this.#name = name;
    this.temporaryPath = temporaryPath;
  }

  /** Whether it has its name. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Creates an empty file. Throws: CommandFailed if the name is taken, or the disk fails. */
  static async create(name: string): Promise<NewFile> {
    const file = new NewFile(name, `${name}.incomplete-${randomBytes(4).toString('hex')}`);
    await file.#refuseTakenName();
    await file.#orFailed(async () => (await open(file.temporaryPath, 'wx', 0o600)).close());
    return file;
  }

  /** Writes everything to the disk, and gives the file its name. Throws: CommandFailed, as `create` does. */
  async keep(): Promise<void> {
    await this.#orFailed(async () => {
      const handle = await open(this.temporaryPath);
      await handle.sync().finally(() => handle.close());
      await this.#takeName();
      // The name is on the disk once the folder is.
      const folder = await open(dirname(this.#name));
      await folder.sync().finally(() => folder.close());
    });
  }

  /** Removes the file unless it has its name, with what SQLite left beside it. Synchronous: the process may be about to end. */
  discard(): void {
    for (const ending of ['', '-journal', '-wal', '-shm'])
      rmSync(`${this.temporaryPath}${ending}`, { force: true });
  }

  /** A link, unlike a renaming, never replaces a file that another program has made meanwhile. */
  async #takeName(): Promise<void> {
    try {
      await link(this.temporaryPath, this.#name);
      this.#isComplete = true;
      await rm(this.temporaryPath);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw this.#taken();
      if (!NO_LINKS.has(code)) throw error;
      await this.#refuseTakenName();
      await rename(this.temporaryPath, this.#name);
      this.#isComplete = true;
    }
  }

  async #refuseTakenName(): Promise<void> {
    const found = await lstat(this.#name).catch(() => undefined);
    if (found !== undefined) throw this.#taken();
  }

  #taken(): CommandFailed {
    return new CommandFailed(`${this.#name} exists, and a backup replaces no file. Give another name.`);
  }

  async #orFailed(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      throw new CommandFailed(`${this.#name} can't be written: ${sentence((error as Error).message)}`);
    }
  }
}
