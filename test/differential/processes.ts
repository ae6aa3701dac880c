import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '../../src/webhooks/webhook.ts';
import type { RestorableDatabase } from '../restores/restorable-database.ts';
import { FAKETIME, shiftedClock } from '../rig/run/faketime.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, runProgram, type Served, start, startServe } from '../rig/service/process.ts';
import { Interrupted } from './beside.ts';
import type { Answer, ArchiveOptions, Beside, Deployment, Sent } from './deployment.ts';
import { linesOf } from './in-process.ts';
import { STATUSES } from './random-transactions.ts';

/** A busy machine answers in time, and commands wait for as long. */
const REQUEST_TIMEOUT_MS = 5000;
/** By when a revoked key is refused everywhere. */
const KEYS_KNOWN_MS = 1000;
const BETWEEN_MS = 30;
/** Longer than the lease of deliveries, and than ends of keys are known. */
const PAUSED_MS = LEASE_MS + 1000;

/** The service and the commands as processes, whose clock can be set. */
export class Processes implements Deployment {
  readonly isExact = false;
  readonly #folder = temporaryFolder();
  readonly #clock = shiftedClock(this.#folder.path);
  readonly #make: () => Promise<RestorableDatabase>;
  #databases: RestorableDatabase[] = [];
  #served: Served | undefined;
  #operatorKey = '';
  #offsetMs = 0;

  constructor(make: () => Promise<RestorableDatabase>) {
    this.#make = make;
  }

  async start(): Promise<this> {
    this.#databases.push(await this.#make());
    const args = ['keys', 'create', '--operator', '--scopes', 'record,keys,read', '--json'];
    await createDatabase(this.#options());
    this.#operatorKey = JSON.parse((await runProgram(args, this.#options())).stdout).key;
    await this.#serve();
    return this;
  }

  #options(url = this.#databases.at(-1)?.url ?? '') {
    const clock = FAKETIME === undefined ? {} : this.#clock.env;
    const settings = { DATABASE_URL: url, STATUSES, REQUEST_TIMEOUT: String(REQUEST_TIMEOUT_MS) };
    return { cwd: this.#folder.path, env: { ...clock, ...settings, OPERATOR_PORT: '0' } };
  }

  get served(): Served {
    if (this.#served === undefined) throw new Error('the service is not running');
    return this.#served;
  }

  async #serve(): Promise<void> {
    this.#served = await startServe(this.#options());
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  commandNow(): number {
    return this.now();
  }

  async setClock(offsetMs: number): Promise<void> {
    if (FAKETIME === undefined) return;
    this.#offsetMs = offsetMs;
    this.#clock.setOffset(offsetMs / 1000);
  }

  sendPublic(url: string, sent: Sent & { key: string }): Promise<Answer | undefined> {
    return send(this.served.url, url, sent);
  }

  sendOperator(url: string, sent: Sent): Promise<Answer | undefined> {
    return send(this.served.operatorUrl, url, { key: this.#operatorKey, ...sent });
  }

  async importCsv(csv: string): Promise<true | string> {
    const args = ['import', '-', '--format', 'csv'];
    const { status, stderr } = await runProgram(args, { ...this.#options(), stdin: csv });
    return status === 0 || stderr;
  }

  /** Runs a command, beside which other things happen once it has printed something. */
  async #run(
    args: readonly string[],
    { beside, from }: { beside: Beside; from: RegExp },
  ): Promise<{ status: number | null; output: string }> {
    const child = start(args, this.#options());
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    const exited = once(child, 'exit');
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    try {
      while (isRunning()) {
        if (from.test(output)) await beside();
        await Promise.race([exited, delay(BETWEEN_MS)]);
      }
    } catch (error) {
      child.kill('SIGKILL');
      await exited;
      throw error;
    }
    return { status: child.exitCode, output };
  }

  async archive(
    account: string,
    { before, folder: name }: ArchiveOptions,
    beside: Beside,
  ): Promise<string[]> {
    const folder = `${this.#folder.path}/${name}`;
    const args = ['archive', '--before', before, '--to', folder, '--account', account];
    const { status, output } = await this.#run(args, { beside, from: /^/ });
    assert.ok(status === 0 || /There is nothing of|no account/.test(output), `archive: ${output}`);
    return status === 0 ? linesOf(folder, account) : [];
  }

  async erase(account: string, beside: Beside): Promise<boolean> {
    const args = ['erase', '--account', account, '--yes'];
    // Then the account is closed.
    const { status, output } = await this.#run(args, { beside, from: /Waiting/ });
    assert.ok(status === 0 || /nothing|no account/i.test(output), `erase: ${output}`);
    return status === 0;
  }

  async copy(beside: Beside): Promise<void> {
    const source = this.#options();
    const target = await this.#make();
    const args = ['copy', '--from', source.env.DATABASE_URL, '--to', target.url];
    for (;;) {
      const child = start([...args, '--follow', '--json'], source);
      const ended = endOf(child);
      // It has copied what there was, and follows: a signal ends it in order.
      const following = Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
      try {
        for (let turn = 0; turn < 8; turn++) {
          await beside();
          await delay(BETWEEN_MS * 5);
        }
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        child.kill('SIGKILL');
        await ended;
        continue;
      }
      await following;
      child.kill('SIGINT');
      const { status, output } = await ended;
      assert.equal(status, 0, `copy: ${output}`);
      await this.served.stop();
      break;
    }
    this.#databases.push(target);
    await this.#serve();
  }

  async backUp(): Promise<() => Promise<void>> {
    const database = this.#databases.at(-1) as RestorableDatabase;
    await this.served.stop();
    const restore = await database.backUp();
    await this.#serve();
    return async () => {
      await this.served.stop();
      await restore();
      await this.#serve();
    };
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.#serve();
  }

  async kill(): Promise<void> {
    await this.served.stop('SIGKILL');
  }

  async pause(send: () => Promise<void>): Promise<void> {
    const { pid } = this.served;
    process.kill(pid, 'SIGSTOP');
    const goOn = () => delay(PAUSED_MS).then(() => process.kill(pid, 'SIGCONT'));
    await Promise.all([goOn(), send()]);
  }

  async untilKeysAreKnown(): Promise<void> {
    await delay(KEYS_KNOWN_MS);
  }

  async verify(): Promise<unknown[]> {
    const { status, stdout, stderr } = await runProgram(['verify'], this.#options());
    return status === 0 ? [] : [stdout, stderr];
  }

  async close(): Promise<void> {
    await this.#served?.stop('SIGKILL');
    for (const { remove } of this.#databases) await remove();
    this.#folder.remove();
  }
}

async function endOf(child: ChildProcess): Promise<{ status: number | null; output: string }> {
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  return { status, output: `${stdout}${stderr}` };
}

/** Sends a request; undefined if the connection ends before the response does. */
export async function send(
  origin: string,
  url: string,
  { method = 'GET', key, body, text: given, headers = {} }: Sent,
): Promise<Answer | undefined> {
  const payload = given ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = request(`${origin}${url}`, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  sent.end(payload);
  try {
    const [response] = await once(sent, 'response');
    const read = await text(response);
    const isJson =
      /json/.test(response.headers['content-type'] ?? '') && !/ndjson/.test(response.headers['content-type']);
    return {
      status: response.statusCode,
      headers: response.headers,
      text: read,
      body: isJson && read !== '' ? JSON.parse(read) : undefined,
    };
  } catch {
    return undefined;
  }
}
