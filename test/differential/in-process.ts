import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { eraseAccount } from '../../src/operate/erase/erase-account.ts';
import { openAccountEraser, openStore } from '../../src/store/open-store.ts';
import { declareStatuses } from '../../src/values/status.ts';
import type { RestorableDatabase } from '../restores/restorable-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/service/operator-app.ts';
import { run } from '../rig/service/process.ts';
import { archive } from '../rig/store/archive.ts';
import { someStamp } from '../rig/store/audit.ts';
import { beside, copyBetween, type Databases } from '../rig/store/copy.ts';
import { type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';
import { Interrupted } from './beside.ts';
import type { Answer, ArchiveOptions, Beside, Deployment, Sent } from './deployment.ts';
import { STATUSES } from './random-transactions.ts';

const START_MS = Date.UTC(2026, 5, 15, 12);
const declared = declareStatuses(STATUSES);
if ('faults' in declared) throw new Error(declared.faults.join());
const config = { ...testConfig, ...declared };

interface Opened {
  store: VerifiedStore;
  app: TestApp;
  operator: TestOperatorApp;
}

/** Small copies end before the stop, and others resume. */
const ASKED_BEFORE_STOP = 5;

/** The service in this process: what waits for a time passes the time of its clock. */
export class InProcess implements Deployment {
  readonly isExact = true;
  readonly #clock = testClock(START_MS);
  readonly #folder = temporaryFolder();
  readonly #make: () => Promise<RestorableDatabase>;
  #databases: RestorableDatabase[] = [];
  #opened: Opened | undefined;

  constructor(make: () => Promise<RestorableDatabase>) {
    this.#make = make;
  }

  async start(): Promise<this> {
    this.#databases.push(await this.#make());
    await this.#open();
    return this;
  }

  get #database(): RestorableDatabase {
    return this.#databases.at(-1) as RestorableDatabase;
  }

  get #service(): Opened {
    if (this.#opened === undefined) throw new Error('the service is not running');
    return this.#opened;
  }

  async #open(): Promise<void> {
    const clock = this.#clock;
    const { store } = await openStore(this.#database.url, clock.now);
    const app = await buildTestApp({ store, clock, config });
    const operator = await buildTestOperatorApp(store, clock, config);
    this.#opened = { store: store as VerifiedStore, app, operator };
  }

  async #close(): Promise<void> {
    const { store } = this.#service;
    this.#opened = undefined;
    await store.close();
  }

  now(): number {
    return this.#clock.now();
  }

  commandNow(): number {
    return Date.now();
  }

  async setClock(offsetMs: number): Promise<void> {
    this.#clock.set(START_MS + offsetMs);
  }

  async sendPublic(url: string, sent: Sent & { key: string }): Promise<Answer> {
    return this.#service.app.send(url, sent);
  }

  async sendOperator(url: string, { method = 'GET', ...sent }: Sent): Promise<Answer> {
    return this.#service.operator.send(url, { method, ...sent });
  }

  async importCsv(csv: string): Promise<true | string> {
    const env = { DATABASE_URL: this.#database.url, STATUSES };
    const options = { cwd: this.#folder.path, env, stdin: csv };
    const { status, stderr } = await run(['import', '-', '--format', 'csv'], options);
    return status === 0 || stderr;
  }

  /** The time of the service passes as well, so that what it knows for a time is known no longer. */
  #pass(milliseconds: number): void {
    this.#clock.advance(milliseconds);
  }

  async archive(
    account: string,
    { before, folder: name }: ArchiveOptions,
    beside: Beside,
  ): Promise<string[]> {
    const folder = `${this.#folder.path}/${name}`;
    mkdirSync(folder, { recursive: true });
    await archive([account], {
      url: this.#database.url,
      store: this.#service.store,
      folder,
      beforeMs: Date.parse(before),
      before: async (call) => {
        if (call === 'removeUnfinishedExports') this.#pass(70_000);
        await beside();
      },
    });
    return linesOf(folder, account);
  }

  async erase(account: string, beside: Beside): Promise<boolean> {
    const { store } = this.#service;
    const eraser = await openAccountEraser(this.#database.url);
    try {
      const head = await eraseAccount(account, {
        eraser,
        store,
        stamp: () => someStamp(this.now()),
        now: () => this.now(),
        monotonicMs: () => performance.now(),
        sleep: async (milliseconds) => {
          if (milliseconds >= 1000) this.#pass(70_000);
          await beside();
        },
        onWait: () => {},
        onProgress: () => {},
      });
      return head !== undefined;
    } finally {
      await eraser.end();
    }
  }

  /** Once beside the service, which is stopped sometimes, and then without it: to the same target, unless that has all that there was. */
  async copy(happen: Beside): Promise<void> {
    const first = await this.#make();
    let asked = 0;
    const ended = await copyBetween(this.#database.url, first.url, {
      through: (databases: Databases) => ({ source: beside(databases.source, happen) }),
      isStopped: () => ++asked > ASKED_BEFORE_STOP,
    }).catch((error) => {
      if (!(error instanceof Interrupted)) throw error;
    });
    await this.#close();
    const target = ended?.end === 'equal' ? await this.#make() : first;
    const { end } = await copyBetween(this.#database.url, target.url);
    if (target !== first) await first.remove();
    if (end !== 'equal') throw new Error(`the copy ended with ${end}`);
    this.#databases.push(target);
    await this.#open();
  }

  async backUp(): Promise<() => Promise<void>> {
    await this.#close();
    const restore = await this.#database.backUp();
    await this.#open();
    return async () => {
      await this.#close();
      await restore();
      await this.#open();
    };
  }

  async restart(): Promise<void> {
    await this.#close();
    await this.#open();
  }

  async pause(send: () => Promise<void>): Promise<void> {
    this.#pass(70_000);
    await send();
  }

  async untilKeysAreKnown(): Promise<void> {
    const { app, operator } = this.#service;
    for (const { keyCache } of [app, operator]) await keyCache.refresh();
  }

  async verify(): Promise<unknown[]> {
    return (await verifyDatabase(this.#database.url)).disagreements;
  }

  async close(): Promise<void> {
    // A step that failed can have left no service.
    if (this.#opened !== undefined) await this.#close();
    for (const { remove } of this.#databases) await remove();
    this.#folder.remove();
  }
}

/** The lines of an account's files that have a manifest. */
export function linesOf(folder: string, account: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${account}.before-`) && name.endsWith('.json'))
    .flatMap((name) =>
      readFileSync(`${folder}/${name.replace(/json$/, 'csv')}`, 'utf8')
        .split('\r\n')
        .slice(1, -1),
    );
}
