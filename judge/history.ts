import { appendFileSync } from 'node:fs';

/** What a judge saw: each line of a history file is one of these events. */

/** The fields of a transaction that the judge sends and compares. */
export interface Row {
  reference: string;
  merchantReference: string | null;
  status: string;
  amount: string;
  currencyCode: string;
  paidAt: string | null;
  createdAt: string;
}

export interface Change {
  sequence: number;
  id: string;
  type: string;
  previousStatus: string | null;
  recordedAt: string;
  transaction: Row;
}

export interface TotalsRow {
  day?: string;
  month?: string;
  currencyCode: string;
  status: string;
  count: number;
  amount: string;
}

/** The filters of lists, searches, totals and exports, by the names of their parameters. */
export type Filter = Readonly<Record<string, string>>;

/** `began` and `ended` are positions in the order in which the judge sent requests and received responses. */
interface Timed {
  account: string;
  /** How often the database had been restored. */
  era: number;
  began: number;
  ended: number;
}

export interface Recorded extends Timed {
  op: 'record';
  /** A reference that the service chose is null until the response has it. */
  given: Omit<Row, 'reference'> & { reference: string | null };
  key?: string;
  outcome: 'recorded' | 'changed' | 'unchanged' | 'conflict' | 'reused' | 'unknown';
  isReplayed?: boolean;
  sequence?: number;
  id?: string;
  shown?: Row;
}

export interface Page {
  began: number;
  ended: number;
  rows: Row[];
}

export interface Walk extends Timed {
  op: 'walk';
  kind: 'list' | 'search';
  filter: Filter;
  pages: Page[];
}

export interface Retrieved extends Timed {
  op: 'retrieve';
  reference: string;
  row: Row | null;
}

export interface Feed extends Timed {
  op: 'feed';
  after: number;
  afterId: string | null;
  refused: boolean;
  changes: Change[];
  lastSequence: number;
  lastId: string | null;
  headSequence: number;
  hasMore: boolean;
}

export interface Totals extends Timed {
  op: 'totals';
  filter: Filter;
  by: 'day' | 'month' | null;
  rows: TotalsRow[];
  asOf: number;
  asOfId: string | null;
}

export interface Export extends Timed {
  op: 'export';
  format: 'csv' | 'ndjson';
  filter: Filter;
  asOf: number;
  asOfId: string | null;
  /** Without the manifest. */
  text: string;
  manifest: { state: string; rows: number; bytes: number; sha256: string; asOf: number; totals: TotalsRow[] };
}

export interface Sealed extends Timed {
  op: 'seal';
  sequence: number;
  id: string | null;
  seal: string;
}

/** The number and the id of an account's last change, as the operator's list of accounts has it. */
export interface Head extends Timed {
  op: 'head';
  sequence: number;
  id: string | null;
}

/** All changes of an account, read when nothing is recorded: the last event of an era that looks at the account. */
export interface Final extends Timed {
  op: 'final';
  changes: Change[];
}

/** What a reader has that followed the feed, through restores, once it has caught up at the end of an era. */
export interface Copy extends Timed {
  op: 'copy';
  changes: Change[];
}

export interface Backup {
  op: 'backup';
  era: number;
  began: number;
}

/** `era` begins with the backup. */
export interface Restore {
  op: 'restore';
  era: number;
}

/** A response that no request of the judge may get, whatever the state is. */
export interface Refused {
  op: 'wrong';
  account: string;
  text: string;
}

/** What was done to the processes: it explains a history to its reader, and no rule needs it. */
export interface Done {
  op: 'did';
  text: string;
}

export type Read = Walk | Retrieved | Feed | Totals | Export | Sealed | Head | Final | Copy;
export type Event = Recorded | Read | Backup | Restore | Refused | Done;

/** The events of a round, in memory and in a file. */
export class History {
  era = 0;
  readonly events: Event[] = [];
  readonly path: string;
  /** Whether a response was wrong already: then the round ends. */
  isBroken = false;
  #ticks = 0;

  constructor(path: string) {
    this.path = path;
  }

  tick(): number {
    return ++this.#ticks;
  }

  add(event: Event): void {
    this.events.push(event);
    if (event.op === 'wrong') this.isBroken = true;
    appendFileSync(this.path, `${JSON.stringify(event)}\n`);
  }
}

/** The merchant references of what is recorded under an idempotency key begin with this, and only those. */
export const BY_KEY = 'by key';
export const isByKey = (merchantReference: string | null): boolean =>
  merchantReference?.startsWith(BY_KEY) === true;

/** Random values from a seed (mulberry32). The moments at which responses arrive stay those of the machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** Whether something happens that does so `percent` times of a hundred. */
  is(percent: number): boolean {
    return this.below(100) < percent;
  }
}
