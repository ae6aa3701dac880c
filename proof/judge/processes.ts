import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../../test/rig/database/postgres-server.ts';
import {
  type ArchiveEnd,
  type Driver,
  type Instance,
  type Operator,
  type Receive,
  realTime,
} from './driver.ts';

const COMMAND = join(import.meta.dirname, '../../bin/transactions.js');
const MOST_TRIES = 20;
/** `copy` refuses a target for a minute after an instance on it was killed, so `copy` is retried. */
const COPY_RETRIED_MS = 120_000;
/** libfaketime (a package of Debian) sets the clock of a process. Without it, all clocks are right. */
const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

interface Database {
  url: string;
  folder: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

function sqlite(folder: string): Database {
  mkdirSync(folder);
  const nothing = async () => {};
  return { url: `sqlite:${folder}/payments.db`, folder, start: nothing, kill: nothing, stop: nothing };
}

async function postgres(): Promise<Database> {
  const server = await startPostgres();
  return { ...server, url: `${server.url}/postgres`, folder: join(server.folder, 'data') };
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

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

export interface Start {
  database: 'sqlite' | 'postgres';
  instances: number;
  env?: Readonly<Record<string, string>>;
}

interface Slot {
  instance: Instance;
  child: ChildProcess;
}

/** The service can be moved from one of the two databases to the other. */
class Processes implements Operator {
  readonly setsClocks = FAKETIME !== undefined;
  readonly #folder: string;
  readonly #databases: readonly Database[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #slots: (Slot | undefined)[];
  readonly #aheadMs: number[];
  #databaseIndex = 0;
  #backedUpIndex = 0;
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

  #backup(index: number): string {
    return join(this.#folder, `backup-${index}`);
  }

  running(): Instance[] {
    return this.#slots.flatMap((slot) => (slot === undefined ? [] : [slot.instance]));
  }

  #environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      ...(process.env as Record<string, string>),
      DATABASE_URL: this.#databases[this.#databaseIndex]?.url ?? '',
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

  async command(
    args: readonly string[],
    { input, started }: { input?: string; started?: (child: ChildProcess) => void } = {},
  ) {
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

  /** Tries a failed command again, because the database may be down for a while. */
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
            // On a real machine, the monotonic clock does not jump with the wall clock.
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

  /** No process runs during `work`, so `work` may change the files of the databases. */
  async #whileDown(work: () => void): Promise<void> {
    await this.#killAll();
    await this.#databases[0]?.kill();
    work();
    await this.#databases[0]?.start();
    await this.startAll();
  }

  async backUp(): Promise<void> {
    this.#backedUpIndex = this.#databaseIndex;
    await this.#whileDown(() => {
      for (const [index, { folder }] of this.#databases.entries()) replace(this.#backup(index), folder);
    });
  }

  async restore(whileDown: () => void): Promise<void> {
    await this.#whileDown(() => {
      for (const [index, { folder }] of this.#databases.entries()) replace(folder, this.#backup(index));
      this.#databaseIndex = this.#backedUpIndex;
      whileDown();
    });
  }

  async archive(account: string, folder: string, before: string, isKilled: boolean): Promise<ArchiveEnd> {
    const path = join(this.#folder, folder);
    mkdirSync(path, { recursive: true });
    const kill = (child: ChildProcess) => {
      // The file appears before the database stores the archive, so the kill often comes between the two.
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
    const target = 1 - this.#databaseIndex;
    const [from, to] = [this.#databases[this.#databaseIndex]?.url ?? '', this.#databases[target]?.url ?? ''];
    const args = ['copy', '--from', from, '--to', to];
    const kill = (child: ChildProcess) => void delay(600).then(() => child.kill('SIGKILL'));
    if (isKilled) await this.command(args, { started: kill });
    const giveUpAtMs = performance.now() + COPY_RETRIED_MS;
    let failure = await this.#failureOf(...args);
    while (failure?.includes('a minute later') && performance.now() < giveUpAtMs) {
      await delay(1000);
      failure = await this.#failureOf(...args);
    }
    if (failure !== undefined) return failure;
    await this.#killAll('SIGTERM');
    this.#databaseIndex = target;
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
    for (const database of this.#databases) await database.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

/** PostgreSQL checks the owners and modes of its files, so the copy keeps them. */
function replace(folder: string, from: string): void {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, folder]);
}

export async function startService(start: Start): Promise<Driver> {
  const { database, instances } = start;
  const folder = mkdtempSync(join(tmpdir(), 'transactions-judge-'));
  const first = database === 'sqlite' ? sqlite(join(folder, 'first')) : await postgres();
  const processes = new Processes(folder, [first, sqlite(join(folder, 'second'))], start);
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
