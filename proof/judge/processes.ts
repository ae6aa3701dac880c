import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ArchiveEnd,
  type Driver,
  type Instance,
  type Operator,
  type Receive,
  realTime,
} from './driver.ts';

const COMMAND = join(import.meta.dirname, '../../bin/transactions.js');
/** The number of times that a command is run again. */
const MOST_TRIES = 20;
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Debian's libfaketime, which sets the clock of a process; without it, all clocks are right. */
const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

interface Database {
  url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

const sqlite = (file: string): Database => ({
  url: `sqlite:${file}`,
  start: async () => {},
  kill: async () => {},
});

/** The folder of PostgreSQL's programs, from Debian's package of the newest version. */
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
  /** Retries, because a server does not start while processes of a killed one still end. */
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
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, kill };
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
    // The process has ended meanwhile.
  }
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program that ends with the judge. */
function spawnTied(
  program: string,
  args: readonly string[],
  options: object,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const child = spawn(program, args, { ...options, stdio: [input, 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Resolves when a program has printed a text or ended. Its later output is read and dropped. */
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

interface Slot {
  instance: Instance;
  child: ChildProcess;
}

interface Ran {
  status: number | null;
  output: string;
}

/** A service's processes that the judge started, on one of two databases, and the operator's commands. */
class Processes implements Operator {
  readonly setsClocks = FAKETIME !== undefined;
  readonly #folder: string;
  readonly #databases: readonly Database[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #slots: (Slot | undefined)[];
  /** How far the clock of each instance is ahead. */
  readonly #aheadMs: number[];
  /** The current database of the service, and the one of the backup. */
  #current = 0;
  #backedUp = 0;
  #inbox: Server | undefined;

  constructor(folder: string, databases: readonly Database[], { instances, env = {} }: Start) {
    this.#folder = folder;
    this.#databases = databases;
    this.#env = env;
    this.#slots = Array.from({ length: instances });
    this.#aheadMs = Array.from({ length: instances }, () => 0);
  }

  get instances(): number {
    return this.#slots.length;
  }

  get #files(): string {
    return join(this.#folder, 'files');
  }

  get #backup(): string {
    return join(this.#folder, 'backup');
  }

  running(): Instance[] {
    return this.#slots.flatMap((slot) => (slot === undefined ? [] : [slot.instance]));
  }

  #environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      ...(process.env as Record<string, string>),
      DATABASE_URL: this.#databases[this.#current]?.url ?? '',
      STATUSES: 'failed:unpaid',
      LOG_LEVEL: 'info',
      PORT: '0',
      OPERATOR_PORT: '0',
      WEBHOOK_NETWORKS: '127.0.0.1/32',
      WEBHOOK_HTTP: 'true',
      ...this.#env,
      ...extra,
    };
  }

  /** Runs a command of the operator. */
  async command(
    args: readonly string[],
    { input, started }: { input?: string; started?: (child: ChildProcess) => void } = {},
  ): Promise<Ran> {
    const options = { cwd: this.#folder, env: this.#environment() };
    const child = spawnTied(
      process.execPath,
      [COMMAND, ...args],
      options,
      input === undefined ? 'ignore' : 'pipe',
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    child.stdin?.end(input);
    started?.(child);
    await once(child, 'close');
    return { status: child.exitCode, output };
  }

  async #failureOf(...args: string[]): Promise<string | undefined> {
    const { status, output } = await this.command(args);
    return status === 0 ? undefined : `${args[0]} ended with ${status}: ${output}`;
  }

  /** Runs a command again while the database is killed and started. */
  async #untilDone(...args: string[]): Promise<string> {
    for (let tries = 0; ; tries++) {
      const { status, output } = await this.command(args);
      if (status === 0) return output;
      if (tries === MOST_TRIES) throw new Error(`${args.join(' ')} ended with ${status}: ${output}`);
      await delay(500);
    }
  }

  #clockFile(index: number): string {
    return join(this.#folder, `clock-${index}`);
  }

  async #startInstance(index: number): Promise<void> {
    this.#writeClock(index);
    const clock =
      FAKETIME === undefined
        ? {}
        : {
            LD_PRELOAD: FAKETIME,
            FAKETIME_TIMESTAMP_FILE: this.#clockFile(index),
            FAKETIME_NO_CACHE: '1',
            // The monotonic clock of a machine does not jump with the other one.
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          };
    const options = { cwd: this.#folder, env: this.#environment(clock) };
    const child = spawnTied(process.execPath, [COMMAND, 'serve'], options);
    const log = await hasPrinted(child, /"msg":"listening"/);
    if (log === undefined) throw new Error(`an instance does not start in ${this.#folder}`);
    const urlOf = (message: string) =>
      JSON.parse(log.split('\n').find((line) => line.includes(`"msg":"${message}`)) ?? '{}').url;
    const addresses = { url: urlOf('listening"'), operatorUrl: urlOf('listening for the operator') };
    this.#slots[index] = { instance: { ...addresses, aheadMs: this.#aheadMs[index] ?? 0 }, child };
  }

  #writeClock(index: number): void {
    const seconds = Math.round((this.#aheadMs[index] ?? 0) / 1000);
    writeFileSync(this.#clockFile(index), `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  async setClock(index: number, aheadMs: number): Promise<void> {
    this.#aheadMs[index] = aheadMs;
    this.#writeClock(index);
    const slot = this.#slots[index];
    if (slot !== undefined) slot.instance.aheadMs = aheadMs;
  }

  async restartInstance(index: number): Promise<void> {
    await this.#killInstance(index);
    await this.#startInstance(index);
  }

  async #killInstance(index: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    this.#slots[index] = undefined;
    const exited = once(slot.child, 'exit');
    slot.child.kill(signal);
    await exited;
  }

  async suspendInstance(index: number, ms: number): Promise<void> {
    const child = this.#slots[index]?.child;
    child?.kill('SIGSTOP');
    await delay(ms);
    child?.kill('SIGCONT');
  }

  async restartDatabase(): Promise<void> {
    await this.#databases[0]?.kill();
    await this.#databases[0]?.start();
  }

  async startAll(): Promise<void> {
    await Promise.all(this.#slots.map((_, index) => this.#startInstance(index)));
  }

  #killAll(signal?: NodeJS.Signals): Promise<unknown> {
    return Promise.all(this.#slots.map((_, index) => this.#killInstance(index, signal)));
  }

  /** Kills everything, changes the files of the databases, and starts everything again. */
  async #whileDown(work: () => void): Promise<void> {
    await this.#killAll();
    await this.#databases[0]?.kill();
    work();
    await this.#databases[0]?.start();
    await this.startAll();
  }

  async backUp(): Promise<void> {
    this.#backedUp = this.#current;
    await this.#whileDown(() => {
      rmSync(this.#backup, { recursive: true, force: true });
      copyFiles(this.#files, this.#backup);
    });
  }

  async restore(whileDown: () => void): Promise<void> {
    await this.#whileDown(() => {
      rmSync(this.#files, { recursive: true });
      copyFiles(this.#backup, this.#files);
      this.#current = this.#backedUp;
      whileDown();
    });
  }

  async archive(account: string, folder: string, before: string, isKilled: boolean): Promise<ArchiveEnd> {
    const path = join(this.#folder, folder);
    mkdirSync(path, { recursive: true });
    const kill = (child: ChildProcess) => {
      // The file was just renamed, and its archive may not be stored yet.
      const watcher = watch(path, (_, name) => name?.endsWith('.csv') && child.kill('SIGKILL'));
      child.once('exit', () => watcher.close());
    };
    const args = ['archive', '--before', before, '--to', path, '--account', account];
    const { status, output } = await this.command(args, isKilled ? { started: kill } : {});
    if (status === null) return { end: 'interrupted' };
    if (status !== 0 && /deliver/i.test(output)) return { end: 'outstanding' };
    if (status !== 0 && !output.includes('no account')) return { end: 'failed', text: output };
    const names = readdirSync(path).filter(
      (name) => name.endsWith('.csv') && existsSync(join(path, name.replace(/csv$/, 'json'))),
    );
    return {
      end: 'archived',
      files: new Map(names.map((name) => [name, readFileSync(join(path, name), 'utf8')])),
    };
  }

  async erase(account: string): Promise<string | undefined> {
    const { status, output } = await this.command(['erase', '--account', account, '--yes']);
    return status === 0 ? undefined : output;
  }

  async copy(isKilled: boolean): Promise<string | undefined> {
    const target = 1 - this.#current;
    const [from, to] = [this.#databases[this.#current]?.url ?? '', this.#databases[target]?.url ?? ''];
    const args = ['copy', '--from', from, '--to', to];
    const kill = (child: ChildProcess) => void delay(600).then(() => child.kill('SIGKILL'));
    if (isKilled) await this.command(args, { started: kill });
    const failure = await this.#failureOf(...args);
    if (failure !== undefined) return failure;
    await this.#killAll('SIGTERM');
    this.#current = target;
    await this.startAll();
    return undefined;
  }

  async importLines(ndjson: string): Promise<boolean> {
    const args = ['import', '-', '--format', 'ndjson'];
    return (await this.command(args, { input: ndjson })).status === 0;
  }

  async makeOperatorKey(scopes: string): Promise<{ id: string; key: string }> {
    const output = await this.#untilDone('keys', 'create', '--operator', '--scopes', scopes, '--json');
    return JSON.parse(output.split('\n').find((line) => line.startsWith('{')) ?? '');
  }

  async revokeKey(id: string): Promise<void> {
    await this.#untilDone('keys', 'revoke', id);
  }

  verify(): Promise<string | undefined> {
    return this.#failureOf('verify');
  }

  async openInbox(receive: Receive): Promise<string> {
    const server = createHttpServer(async (request, response) => {
      const body = await text(request);
      const headers = request.headers as Record<string, string>;
      const status = await receive({ path: request.url ?? '', headers, body });
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    this.#inbox = server;
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  async close(): Promise<void> {
    await this.#killAll();
    this.#inbox?.close();
    for (const database of this.#databases) await database.kill();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Copies owners and modes, because PostgreSQL checks them. */
const copyFiles = (from: string, to: string): unknown => execFileSync('cp', ['-a', from, to]);

/** Starts a database and instances of the service in a temporary folder. */
export async function startService(start: Start): Promise<Driver> {
  const { database, instances } = start;
  const folder = mkdtempSync(join(tmpdir(), 'transactions-judge-'));
  chmodSync(folder, 0o755);
  const files = join(folder, 'files');
  mkdirSync(files);
  const first =
    database === 'sqlite' ? sqlite(join(files, 'first.db')) : await postgres(join(files, 'server'), database);
  const processes = new Processes(folder, [first, sqlite(join(files, 'second.db'))], start);
  await processes.command(['migrate']);
  const { key } = await processes.makeOperatorKey('record,keys,read,sessions');
  await processes.startAll();
  return {
    ...realTime,
    name: `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${instances} instance${instances > 1 ? 's' : ''}`,
    operatorKey: key,
    running: () => processes.running(),
    operator: processes,
    openInbox: (receive) => processes.openInbox(receive),
    close: () => processes.close(),
  };
}
