import assert from 'node:assert/strict';
import { changeId, changeType, isOfHistory } from '../../src/ledger/changes/change.ts';
import { listChanges, NotInHistory } from '../../src/ledger/changes/list-changes.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryStore } from '../../src/webhooks/delivery/delivery-dependencies.ts';
import { completed, pending } from '../rig/data/changes.ts';
import type { Random } from '../rig/run/random.ts';
import { Receivers, type Remembers } from './receivers.ts';
import type { RestorableDatabase } from './restorable-database.ts';

const ACCOUNT = 'store-1';
const READERS = 4;
const PAGE = 7;

/** A program that keeps the changes of the account: what it has read, and the ids. */
interface Reader {
  /** The recordings that made its changes, as the test counts them. */
  events: number[];
  ids: string[];
}

export interface RestoreOptions {
  restores: number;
  /** Draws the nonce of a commit; undefined for the one of the service. */
  drawNonce?: ((clockMs: number) => number) | undefined;
  /** Wraps the reads of the feed. */
  around?: (store: Pick<Store, 'listChanges'>) => Pick<Store, 'listChanges'>;
  /** Wraps the calls of deliveries. */
  aroundDeliveries?: (store: DeliveryStore) => DeliveryStore;
  /** What receivers know a repeated delivery by. Default: its id. */
  remembers?: Remembers;
}

/**
 * Records, backs up and restores at random. Checks at each step that exactly the readers that must are refused, and at the end that receivers
 * got every change of the history.
 */
export class RestoreRun {
  readonly #database: RestorableDatabase;
  readonly #random: Random;
  readonly #options: RestoreOptions;
  readonly #readers: Reader[] = Array.from({ length: READERS }, () => ({ events: [], ids: [] }));
  /** The recordings of the history of the database, in the order of their numbers. */
  #history: number[] = [];
  #events = 0;
  /** Of every id that was ever read: the recording that made its change. No other one has it, also if that one is lost. */
  readonly #eventOf = new Map<string, number>();
  /** Of every id that was ever read: the type of its change. */
  readonly #typeOf = new Map<string, string>();
  readonly #receivers: Receivers;
  #clockMs = Date.UTC(2026, 5, 15);
  /** Changes that the restores have lost, and that were recorded after them; readings that were refused, and the others. */
  readonly counts = { lost: 0, recordedAgain: 0, refused: 0, unaffected: 0, delivered: 0, repeated: 0 };

  constructor(database: RestorableDatabase, random: Random, options: RestoreOptions) {
    this.#database = database;
    this.#random = random;
    this.#options = options;
    this.#receivers = new Receivers({
      account: ACCOUNT,
      random: random.fork(),
      now: () => this.#clockMs,
      remembers: options.remembers ?? (({ id }) => id),
      around: options.aroundDeliveries ?? ((store) => store),
    });
  }

  async run(): Promise<void> {
    try {
      await this.#run();
    } finally {
      this.#receivers.end();
    }
  }

  async #run(): Promise<void> {
    await this.#withStore((store) => this.#receivers.create(store));
    for (let restores = 0; restores < this.#options.restores; restores++) {
      const rows = this.#rows();
      await this.#withStore((store) => this.#recordSome(store, rows));
      const restore = await this.#database.backUp();
      const backup = [...this.#history];
      const backupMs = this.#clockMs;
      const later = this.#rows();
      const isBrief = this.#random.chance(0.6);
      await this.#withStore((store) => this.#recordSome(store, later), isBrief);
      await this.#receivers.lose();
      await restore();
      const kept = backup.length;
      this.counts.lost += this.#history.length - kept;
      this.#history = backup;
      // The clock of the machine can be that of the backup.
      if (this.#random.chance(0.5)) this.#clockMs = backupMs;
      // The same file is imported again, or another one, or nothing yet.
      const again = this.#random.pick([later, later, this.#rows(), []]);
      await this.#withStore((store) => this.#recordSome(store, again));
      this.counts.recordedAgain += this.#history.length - kept;
    }
    await this.#withStore(async (store) => {
      for (const one of this.#readers) await this.#readAll(this.#options.around?.(store) ?? store, one);
      const { ids } = this.#readers[0] as Reader;
      const changes = new Map(ids.map((id) => [id, this.#typeOf.get(id) as string]));
      await this.#receivers.deliverAll(store, changes);
      Object.assign(this.counts, this.#receivers.counts);
    });
  }

  #rows(): AccountTransaction[][] {
    return Array.from({ length: this.#random.integer(1, 3) }, () => {
      const first = this.#random.integer(0, 10_000);
      return Array.from({ length: this.#random.integer(1, 6) }, (_, index) => {
        const row = pending(ACCOUNT, `r${first + index}`);
        return this.#random.chance(0.5) ? row : completed(row);
      });
    });
  }

  async #withStore(work: (store: Store) => Promise<void>, isBrief = false): Promise<void> {
    const { drawNonce } = this.#options;
    const draw = drawNonce && (() => drawNonce(this.#clockMs));
    const options = { timeoutMs: 10_000, connections: 1, records: true, drawNonce: draw };
    const { store } = await openStore(this.#database.url, () => this.#clockMs, options);
    try {
      await work(store);
      await this.#receivers.deliver(store, isBrief);
      const reader = this.#options.around?.(store) ?? store;
      for (const one of this.#readers) if (this.#random.chance(0.7)) await this.#read(reader, one);
    } finally {
      await store.close();
    }
  }

  async #recordSome(store: Store, groups: readonly (readonly AccountTransaction[])[]): Promise<void> {
    for (const group of groups) {
      this.#clockMs += 1000;
      for (const { outcome } of await store.recordTransactions(group))
        if (outcome === 'recorded' || outcome === 'changed') this.#history.push(++this.#events);
    }
  }

  /** How many changes a reader and the history have in common: those before the first that differs. */
  #commonOf({ events }: Reader): number {
    const different = events.findIndex((event, index) => this.#history[index] !== event);
    return different === -1 ? events.length : different;
  }

  async #read(store: Pick<Store, 'listChanges'>, reader: Reader): Promise<void> {
    const common = this.#commonOf(reader);
    const isRefused = !(await this.#isCommon(store, reader, reader.events.length));
    assert.equal(
      isRefused,
      common < reader.events.length,
      isRefused
        ? 'a reader was refused that has nothing else'
        : 'a reader has lost changes and was not refused',
    );
    if (isRefused) {
      this.counts.refused++;
      assert.equal(await this.#bisect(store, reader), common, 'a reader was rewound to another change');
      reader.events.length = common;
      reader.ids.length = common;
    } else this.counts.unaffected++;
    const pages = this.#random.integer(0, 4);
    for (let page = 0; page < pages; page++) await this.#readPage(store, reader);
  }

  /** At the end, each copy is equal to the history. */
  async #readAll(store: Pick<Store, 'listChanges'>, reader: Reader): Promise<void> {
    await this.#read(store, reader);
    for (let before = -1; before < reader.events.length; ) {
      before = reader.events.length;
      await this.#readPage(store, reader);
    }
    assert.deepEqual(reader.events, this.#history, 'a copy differs from the history');
  }

  async #readPage(store: Pick<Store, 'listChanges'>, { events, ids }: Reader): Promise<void> {
    const query = { account: ACCOUNT, after: events.length, afterId: ids.at(-1), limit: PAGE };
    const { changes } = await listChanges(store, query);
    for (const change of changes) {
      const id = changeId(ACCOUNT, change);
      const event = this.#history[change.sequence - 1] as number;
      assert.equal(
        this.#eventOf.get(id) ?? event,
        event,
        `change ${change.sequence} has the id of another one`,
      );
      this.#eventOf.set(id, event);
      this.#typeOf.set(id, changeType(change));
      events.push(event);
      ids.push(id);
    }
  }

  async #isCommon(store: Pick<Store, 'listChanges'>, { ids }: Reader, after: number): Promise<boolean> {
    if (after === 0) return true;
    const query = { account: ACCOUNT, after, afterId: ids[after - 1], limit: 1 };
    try {
      const found = await listChanges(store, query);
      return isOfHistory({ account: ACCOUNT, afterId: undefined }, found);
    } catch (error) {
      if (!(error instanceof NotInHistory)) throw error;
      assert.equal(error.fault.code, 'history_changed', 'no id was compared');
      return false;
    }
  }

  async #bisect(store: Pick<Store, 'listChanges'>, reader: Reader): Promise<number> {
    let [common, different] = [0, reader.events.length];
    while (different - common > 1) {
      const middle = Math.floor((common + different) / 2);
      if (await this.#isCommon(store, reader, middle)) common = middle;
      else different = middle;
    }
    return common;
  }
}
