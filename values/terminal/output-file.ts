import { randomBytes } from 'node:crypto';
import { fstatSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandFailed, UsageError } from '../failure.ts';
import { explainFileError } from './file-error.ts';

const STDOUT = 1;

/** The errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

interface Opened {
  name: string;
  path: string;
  replaces: boolean;
  handle: fs.FileHandle;
  temporaryPath: string;
}

/** Written under a temporary name in the same folder. The methods throw CommandFailed if the disk fails. */
export class OutputFile {
  /** As the user typed it. */
  #name: string;
  #path: string;
  readonly #replaces: boolean;
  readonly #handle: fs.FileHandle;
  /** The name while the file is incomplete. SQLite opens the file by this name too. */
  readonly temporaryPath: string;
  #isComplete = false;

  private constructor(opened: Opened) {
    this.#name = opened.name;
    this.#path = opened.path;
    this.#replaces = opened.replaces;
    this.#handle = opened.handle;
    this.temporaryPath = opened.temporaryPath;
  }

  /** Only its owner can read the file. Throws: CommandFailed if the name is taken. */
  static createNew(name: string): Promise<OutputFile> {
    return orFailed(name, async () => {
      await refuseTakenName(name);
      return OutputFile.#open(name, temporaryName(name));
    });
  }

  /** Only its owner can read the file. `keepAs` gives the file its name. */
  static createIn(folder: string): Promise<OutputFile> {
    return orFailed(folder, () => OutputFile.#open(folder, temporaryName(join(folder, 'new'))));
  }

  static async #open(name: string, temporaryPath: string): Promise<OutputFile> {
    const handle = await fs.open(temporaryPath, 'wx', 0o600);
    return new OutputFile({ name, path: name, replaces: false, handle, temporaryPath });
  }

  /** Throws: UsageError if the name belongs to something other than a file, such as a folder or a device. */
  static async createOrReplace(name: string): Promise<OutputFile> {
    // A link stays, and its target is replaced.
    const path = await fs.realpath(name).catch(() => name);
    const replaced = await fs.stat(path).catch(() => undefined);
    if (replaced !== undefined && !replaced.isFile())
      throw new UsageError(`${name} is not a file. Give the name of a file.`);
    return orFailed(name, async () => {
      const temporaryPath = temporaryName(path);
      const handle = await fs.open(temporaryPath, 'ax');
      if (replaced !== undefined) await handle.chmod(replaced.mode & 0o777);
      return new OutputFile({ name, path, replaces: true, handle, temporaryPath });
    });
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  write(bytes: Uint8Array): Promise<void> {
    return orFailed(this.#name, () => this.#handle.writeFile(bytes));
  }

  /** Only for a file opened by `createOrReplace`, which appends, so the next write starts at 0. */
  clear(): Promise<void> {
    return orFailed(this.#name, () => this.#handle.truncate(0));
  }

  /** Call it before `keep`. */
  finish(): Promise<void> {
    return orFailed(this.#name, async () => {
      await this.#handle.sync();
      await this.#handle.close();
    });
  }

  keep(): Promise<void> {
    return orFailed(this.#name, async () => {
      if (this.#replaces) await this.#rename();
      else await this.#takeFreeName();
      // The new name is on the disk only after the folder is flushed.
      const folder = await fs.open(dirname(this.#path));
      await folder.sync().finally(() => folder.close());
    });
  }

  /** Only for a file opened by `createIn`. The name must be free. */
  keepAs(name: string): Promise<void> {
    this.#name = name;
    this.#path = name;
    return this.keep();
  }

  /** Also removes files that SQLite left. Synchronous, because the process may be about to end. */
  discard(): void {
    this.#handle.close().catch(() => {});
    for (const ending of ['', '-journal', '-wal', '-shm'])
      rmSync(`${this.temporaryPath}${ending}`, { force: true });
  }

  async #rename(): Promise<void> {
    await fs.rename(this.temporaryPath, this.#path);
    this.#isComplete = true;
  }

  /** Unlike a rename, a link never replaces a file that another program has made meanwhile. */
  async #takeFreeName(): Promise<void> {
    try {
      await fs.link(this.temporaryPath, this.#path);
      this.#isComplete = true;
      await fs.rm(this.temporaryPath);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw taken(this.#name);
      if (!NO_LINKS.has(code)) throw error;
      await refuseTakenName(this.#name);
      await this.#rename();
    }
  }
}

/**
 * The result is the same for all names of a file. For a missing file, the result is its path. Without a name,
 * the file is standard output.
 */
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
