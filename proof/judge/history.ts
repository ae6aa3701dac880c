import { appendFileSync } from 'node:fs';

export interface Row {
  reference: string;
  merchantReference: string | null;
  status: string;
  amount: string;
  currencyCode: string;
  paidAt: string | null;
  createdAt: string;
  relatedTo?: string;
  details?: Readonly<Record<string, string>>;
  detailsRemovedAt?: string;
}

/** The reference is null if the service chooses it. */
export type Given = Omit<Row, 'reference' | 'detailsRemovedAt'> & { reference: string | null };

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

export type Filter = Readonly<Record<string, string>>;

/** `began` and `ended` come from one counter, `beganMs` and `endedMs` from a clock that never jumps. */
export interface Timed {
  account: string;
  /** The number of erasures and restores of the account before this event. */
  life: number;
  began: number;
  ended: number;
  beganMs: number;
  endedMs: number;
}

export interface Page {
  began: number;
  ended: number;
  rows: Row[];
}

type Outcome =
  | 'recorded'
  | 'changed'
  | 'unchanged'
  | 'conflict'
  | 'key reused'
  | 'imported'
  | 'day archived'
  | 'unknown';

interface Events {
  record: {
    given: Given;
    key?: string;
    outcome: Outcome;
    isReplayed?: boolean;
    sequence?: number;
    id?: string;
    shown?: Row;
  };
  walk: { kind: 'list' | 'search' | 'related'; filter: Filter; pages: Page[] };
  retrieve: { reference: string; row: Row | null };
  changes: { reference: string; changes: Change[] | null };
  feed: {
    after: number;
    afterId: string | null;
    /** 409 if `afterId` is not the id of the change at `after`, 410 if the changes are archived. */
    status: 200 | 409 | 410;
    changes: Change[];
    lastSequence: number;
    lastId: string | null;
    headSequence: number;
    floorSequence: number | null;
    hasMore: boolean;
  };
  totals: {
    filter: Filter;
    by: 'day' | 'month' | null;
    rows: TotalsRow[];
    asOf: number;
    asOfId: string | null;
  };
  export: {
    format: 'csv' | 'ndjson';
    filter: Filter;
    asOf: number;
    asOfId: string | null;
    text: string;
    manifest: {
      state: string;
      rows: number;
      bytes: number;
      sha256: string;
      asOf: number;
      totals: TotalsRow[];
    };
  };
  seal: { sequence: number; id: string | null; seal: string };
  head: { sequence: number; id: string | null };
  /** All changes that are not archived, read while no recording was in flight. */
  final: { changes: Change[] };
  /** All changes that a reader of the feed has received, from the first change on. */
  followed: { changes: Change[] };
  remove: { reference: string; isThere: boolean };
  archive: { before: string; rows: Row[] };
  /** `owner` is the key that made the session. Null if the judge cannot revoke that key. */
  grant: { id: string; person: string | null; owner: string | null; expiresAt: string | null };
  /** The keys and sessions in `ids` have ended. Other sessions that `person` had then may have ended too. */
  end: { how: string; ids: string[]; person: string | null };
  open: { id: string; status: number };
  use: {
    id: string;
    status: number;
    seen: string[];
    /** The time by the clock of the instance, in milliseconds since 1970. */
    instanceMs: number;
  };
  endpoint: { id: string; after: number; types: string[] | null; isOrdered: boolean };
  delivery: {
    endpoint: string;
    webhookId: string;
    change: Change;
    isSigned: boolean;
    isAccepted: boolean;
  };
  arrived: { endpoint: string; upTo: number };
}

export type OfAccount = { [Op in keyof Events]: Timed & { op: Op } & Events[Op] }[keyof Events];

export type Archived = EventOf<'archive'>;
export type Delivered = EventOf<'delivery'>;
export type Ended = EventOf<'end'>;
export type Export = EventOf<'export'>;
export type Feed = EventOf<'feed'>;
export type Granted = EventOf<'grant'>;
export type Recorded = EventOf<'record'>;
export type Totals = EventOf<'totals'>;
export type Used = EventOf<'use'>;
export type Walk = EventOf<'walk'>;

export type Event =
  | OfAccount
  /** For each account, its `life` when the backup was made. */
  | { op: 'backup'; began: number; lives: Record<string, number> }
  | { op: 'restore'; lives: Record<string, number> }
  | { op: 'wrong'; account: string; text: string }
  /** No rule uses this event. It explains the history to people. */
  | { op: 'did'; text: string };
export type EventOf<Op extends Event['op']> = Extract<Event, { op: Op }>;

export class History {
  readonly events: Event[] = [];
  readonly path: string;
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

  wrong(account: string, text: string): void {
    if (this.isBroken) return;
    this.add({ op: 'wrong', account, text });
  }

  did(text: string): void {
    this.add({ op: 'did', text });
  }
}

/** If a transaction is sent with an idempotency key, its merchantReference begins with this text. */
export const BY_KEY = 'by key';
export const isByKey = (merchantReference: string | null): boolean =>
  merchantReference?.startsWith(BY_KEY) === true;

/** Source: mulberry32. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  weighted<Item extends { weight: number }>(items: readonly Item[]): Item {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    throw new Error('there is nothing to choose from');
  }

  is(percent: number): boolean {
    return this.below(100) < percent;
  }
}
