import { appendFileSync } from 'node:fs';

/* The record of what a judge saw. Each line of a history file is an event. */

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

/** A transaction as it is sent to be recorded. The reference is null if the service chooses it. */
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

/** The filters of lists, searches, totals and exports, by the names of their parameters. */
export type Filter = Readonly<Record<string, string>>;

/**
 * `began` and `ended` are positions in the order in which the judge sent requests and received responses;
 * `beganMs` and `endedMs` are times by a clock that never jumps.
 */
export interface Timed {
  account: string;
  /** How often the account had been erased or restored. */
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
  | 'reused'
  | 'imported'
  | 'archived'
  | 'unknown';

/** An event of one account, by its name. */
interface Events {
  record: {
    given: Given;
    key?: string;
    /**
     * `imported`: it was recorded, now or before. `archived`: refused because of its day. `reused`: refused
     * because its idempotency key has another transaction. `unknown`: no response says what happened. The
     * others are outcomes of the service.
     */
    outcome: Outcome;
    isReplayed?: boolean;
    sequence?: number;
    id?: string;
    shown?: Row;
  };
  walk: { kind: 'list' | 'search' | 'related'; filter: Filter; pages: Page[] };
  retrieve: { reference: string; row: Row | null };
  /** The changes of one transaction; null if it does not exist. */
  changes: { reference: string; changes: Change[] | null };
  feed: {
    after: number;
    afterId: string | null;
    /** 409 if the account has another history, 410 if the changes are archived. */
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
    /** Without the manifest. */
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
  /** The number and the id of an account's last change, from the operator's list of accounts. */
  head: { sequence: number; id: string | null };
  /** An account's changes after its floor, read while nothing is recorded. The last one of a life ends it. */
  final: { changes: Change[] };
  /**
   * The state of a reader that has followed the feed from its beginning, through restores and erasures, and has
   * caught up.
   */
  followed: { changes: Change[] };
  /** Details of a transaction were removed; `isThere` is false if there was no such transaction. */
  remove: { reference: string; isThere: boolean };
  /** Transactions were moved to a file. */
  archive: { before: string; rows: Row[] };
  /** A key or a session was created. `owner` is the session's maker, if the judge can end it. */
  grant: { id: string; person: string | null; owner: string | null; expiresAt: string | null };
  /**
   * Keys and sessions were ended. `ids` must be refused from then on. Other sessions of the person that were
   * created meanwhile may be refused.
   */
  end: { how: string; ids: string[]; person: string | null };
  /** A code was exchanged. `status` is the status of the response. */
  open: { id: string; status: number };
  /** A key was used. `seen` are the references in the response. */
  use: {
    id: string;
    status: number;
    seen: string[];
    /** The time by the clock of the instance, in milliseconds since 1970. */
    instanceMs: number;
  };
  /** An endpoint was created: it gets the changes that are recorded from then on. */
  endpoint: { id: string; after: number; types: string[] | null; isOrdered: boolean };
  /** A change arrived at a receiver. `isAccepted` is true if the receiver answered with a success. */
  delivery: {
    endpoint: string;
    webhookId: string;
    change: Change;
    isSigned: boolean;
    isAccepted: boolean;
  };
  /** An endpoint has acknowledged every change up to a number. */
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
  /** `lives` is the life of each account at that time. */
  | { op: 'backup'; began: number; lives: Record<string, number> }
  /** Each account begins another life with its state in the backup. */
  | { op: 'restore'; lives: Record<string, number> }
  /** A response that no request of the judge may get in any state. */
  | { op: 'wrong'; account: string; text: string }
  /** An action on the processes. It explains a history to its reader; no rule needs it. */
  | { op: 'did'; text: string };
export type EventOf<Op extends Event['op']> = Extract<Event, { op: Op }>;

/** The events of a round, in memory and in a file. */
export class History {
  readonly events: Event[] = [];
  readonly path: string;
  /** True if a response was wrong already: then the round ends. */
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

  /** The first wrong response ends the round: later ones can follow from it. */
  wrong(account: string, text: string): void {
    if (this.isBroken) return;
    this.add({ op: 'wrong', account, text });
  }

  did(text: string): void {
    this.add({ op: 'did', text });
  }
}

/** Merchant references of transactions recorded with an idempotency key begin with this; no others do. */
export const BY_KEY = 'by key';
export const isByKey = (merchantReference: string | null): boolean =>
  merchantReference?.startsWith(BY_KEY) === true;

/** Random values from a seed (mulberry32). */
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

  weighted<Item extends { weight: number }>(items: readonly Item[]): Item {
    let left = this.below(items.reduce((sum, { weight }) => sum + weight, 0));
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    throw new Error('there is nothing to choose from');
  }

  /** True with a probability of `percent` percent. */
  is(percent: number): boolean {
    return this.below(100) < percent;
  }
}
