import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const COMMAND = join(import.meta.dirname, '../bin/transactions.js');
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Instance {
  url: string;
  operatorUrl: string;
}

/** A running service, which the judge or somebody else started. */
export interface Deployment {
  /** What it runs on, for people. */
  readonly name: string;
  readonly operatorKey: string;
  /** Those that are running. */
  running(): Instance[];
  /** Undefined if the judge did not start the service, and so ends nothing. */
  readonly processes?: Processes;
  close(): Promise<void>;
}

/** A service that the judge did not start. */
export const givenDeployment = (instances: Instance[], operatorKey: string): Deployment => ({
  name: `${instances.length} given instances`,
  operatorKey,
  running: () => instances,
  close: async () => {},
});

interface Database {
  url: string;
  /** Everything that the database stores. */
  folder: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

function sqlite(folder: string): Database {
  mkdirSync(folder);
  return { url: `sqlite:${folder}/judged.db`, folder, start: async () => {}, kill: async () => {} };
}

/** The folder of the programs of PostgreSQL: those of Debian's package with the largest version. */
export function postgresPrograms(): string | undefined {
  const [version] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse();
  return version && dirname(version);
}

async function postgres(folder: string, bin: string): Promise<Database> {
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const options = { ...NOBODY, cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } };
  const initdb = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), initdb, { ...options, stdio: 'pipe' });
  const port = await freePort();
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const args = ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])];
  let server: ChildProcess | undefined;
  /** A server does not start while processes of a killed one still end, so it is tried again. */
  const start = async () => {
    for (let tries = 0; tries < 50; tries++) {
      server = spawnTied(join(bin, 'postgres'), args, options);
      if (await hasPrinted(server, /ready to accept connections/)) return;
      await delay(200);
    }
    throw new Error(`PostgreSQL does not start in ${folder}`);
  };
  const kill = async () => {
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGSTOP');
    for (const pid of childrenOf(server.pid)) killIfThere(pid);
    server.kill('SIGKILL');
    await exited;
  };
  await start();
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, folder, start, kill };
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(fields[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program that ends with the judge. */
function spawnTied(program: string, args: readonly string[], options: object): ChildProcess {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Whether a program prints a text before it ends. What it prints afterwards is read and forgotten. */
function hasPrinted(child: ChildProcess, text: RegExp): Promise<string | undefined> {
  return new Promise((resolve) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        if (printed.length < 100_000) printed += chunk;
        if (text.test(printed)) resolve(printed);
      });
    child.once('exit', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export interface Start {
  /** `sqlite`, or the folder of the programs of PostgreSQL. */
  database: string;
  instances: number;
  /** Further variables of the service's environment. */
  env?: Readonly<Record<string, string>>;
}

/** With owners and modes, which PostgreSQL checks. */
const copyFiles = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to]);

/** The processes of a deployment that the judge started. */
export class Processes {
  readonly #folder: string;
  readonly #database: Database;
  readonly #ownEnv: Readonly<Record<string, string>>;
  readonly #slots: ({ instance: Instance; child: ChildProcess } | undefined)[];

  constructor(folder: string, database: Database, { instances, env = {} }: Start) {
    this.#folder = folder;
    this.#database = database;
    this.#ownEnv = env;
    this.#slots = Array.from({ length: instances });
  }

  get #backup(): string {
    return join(this.#folder, 'backup');
  }

  get size(): number {
    return this.#slots.length;
  }

  running(): Instance[] {
    return this.#slots.flatMap((slot) => (slot === undefined ? [] : [slot.instance]));
  }

  #env(): Record<string, string> {
    const settings = { DATABASE_URL: this.#database.url, STATUSES: 'failed:unpaid', LOG_LEVEL: 'info' };
    return {
      ...(process.env as Record<string, string>),
      ...settings,
      PORT: '0',
      OPERATOR_PORT: '0',
      ...this.#ownEnv,
    };
  }

  /** Runs a command of the operator. */
  command(...args: string[]): string {
    const options = { cwd: this.#folder, env: this.#env(), stdio: 'pipe', encoding: 'utf8' } as const;
    return execFileSync(process.execPath, [COMMAND, ...args], options);
  }

  async #startInstance(index: number): Promise<void> {
    const options = { cwd: this.#folder, env: this.#env() };
    const child = spawnTied(process.execPath, [COMMAND, 'serve'], options);
    const log = await hasPrinted(child, /"msg":"listening"/);
    if (log === undefined) throw new Error(`an instance does not start in ${this.#folder}`);
    const urlOf = (message: string) =>
      JSON.parse(log.split('\n').find((line) => line.includes(`"msg":"${message}`)) ?? '{}').url;
    const instance = { url: urlOf('listening"'), operatorUrl: urlOf('listening for the operator') };
    this.#slots[index] = { instance, child };
  }

  async restartInstance(index: number): Promise<void> {
    await this.#killInstance(index);
    await this.#startInstance(index);
  }

  async #killInstance(index: number): Promise<void> {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    this.#slots[index] = undefined;
    const exited = once(slot.child, 'exit');
    slot.child.kill('SIGKILL');
    await exited;
  }

  async suspendInstance(index: number, ms: number): Promise<void> {
    const child = this.#slots[index]?.child;
    child?.kill('SIGSTOP');
    await delay(ms);
    child?.kill('SIGCONT');
  }

  async restartDatabase(): Promise<void> {
    await this.#database.kill();
    await this.#database.start();
  }

  async startAll(): Promise<void> {
    await Promise.all(this.#slots.map((_, index) => this.#startInstance(index)));
  }

  /** Kills everything, does something with the files of the database, and starts everything again. */
  async #whileDown(work: () => void): Promise<void> {
    await Promise.all(this.#slots.map((_, index) => this.#killInstance(index)));
    await this.#database.kill();
    work();
    await this.#database.start();
    await this.startAll();
  }

  async backUp(): Promise<void> {
    await this.#whileDown(() => copyFiles(this.#database.folder, this.#backup));
  }

  /** Restores the backup, and does something while nothing runs. */
  async restore(whileDown: () => void): Promise<void> {
    await this.#whileDown(() => {
      rmSync(this.#database.folder, { recursive: true });
      copyFiles(this.#backup, this.#database.folder);
      whileDown();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map((_, index) => this.#killInstance(index)));
    await this.#database.kill();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Starts a database and instances of the service in a temporary folder. */
export async function startDeployment(start: Start): Promise<Deployment> {
  const { database, instances } = start;
  const folder = mkdtempSync(join(tmpdir(), 'transactions-judge-'));
  chmodSync(folder, 0o755);
  const files = join(folder, 'database');
  const started = database === 'sqlite' ? sqlite(files) : await postgres(files, database);
  const processes = new Processes(folder, started, start);
  processes.command('migrate');
  const made = processes.command('keys', 'create', '--operator', '--scopes', 'record,keys,read', '--json');
  await processes.startAll();
  return {
    name: `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${instances} instance${instances > 1 ? 's' : ''}`,
    operatorKey: JSON.parse(made).key,
    running: () => processes.running(),
    processes,
    close: () => processes.close(),
  };
}
