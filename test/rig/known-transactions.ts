import assert from 'node:assert/strict';
import type { ListFilter } from '../../src/core/list/list-filter.ts';
import type { AccountTransaction } from '../../src/core/transaction.ts';
import type { TransactionBody } from '../../src/http/schemas/transaction.ts';

/*
 * What clients know of an account, from what they sent and were answered alone: an oracle that never looks
 * into a store. A fact that was sent may be recorded; one that was acknowledged, or shown, is. So a page is
 * held against what it must hold and what it may hold, however much happens meanwhile.
 *
 * Units: a moment is a number that only grows, of any kind, the same for all who use one KnownTransactions.
 */

/** One state of a transaction: pending before completed. */
export interface Stage {
  status: string;
  paidAtMs: number | null;
  /** When it was sent first. */
  sentAt: number;
  /** From when on it is known to be recorded. */
  knownAt: number;
}

type Unchanging = Omit<AccountTransaction, 'status' | 'paidAtMs'>;

export interface KnownRow {
  /** Its reference is empty as long as only the service knows it. */
  fields: Unchanging;
  pending: Stage | null;
  completed: Stage | null;
}

/** When something was asked, and when it was answered. */
export interface Interval {
  startedAt: number;
  endedAt: number;
}

type Place = Pick<Unchanging, 'createdAtMs' | 'reference'>;

/** Negative where the first stands before the second in a list. */
function inOrder(one: Place, other: Place): number {
  if (one.createdAtMs !== other.createdAtMs) return other.createdAtMs - one.createdAtMs;
  // References are ASCII: their order by UTF-16 units is that by bytes.
  return one.reference === other.reference ? 0 : one.reference > other.reference ? -1 : 1;
}

const DAY_MS = 86_400_000;

function matches(filter: ListFilter, fields: Unchanging, { status }: Stage): boolean {
  const { currencyCode, createdAtMs, merchantReference } = fields;
  if (filter.merchantReference !== null && filter.merchantReference !== merchantReference) return false;
  if (filter.status !== null && filter.status !== status) return false;
  if (filter.currency !== null && filter.currency !== currencyCode) return false;
  if (filter.from !== null && createdAtMs < Date.parse(filter.from)) return false;
  return filter.to === null || createdAtMs < Date.parse(filter.to) + DAY_MS;
}

/** A walk through one list, and what it has been shown. */
export class Walk {
  readonly filter: ListFilter;
  readonly seen = new Set<string>();
  last: Place | null = null;
  /** No page may be older than this moment: a page before has shown as much. */
  floor = Number.NEGATIVE_INFINITY;

  constructor(filter: ListFilter) {
    this.filter = filter;
  }
}

export interface PageBody {
  data: TransactionBody[];
  nextCursor: string | null;
  hasMore: boolean;
}

/** What is known of the transactions of one account. */
export class KnownTransactions {
  readonly account: string;
  readonly rows: KnownRow[] = [];
  readonly #byReference = new Map<string, KnownRow>();
  readonly #byMerchantReference = new Map<string, KnownRow>();

  constructor(account: string) {
    this.account = account;
  }

  /** Notes that a fact is on its way. One whose reference the service assigns is told by its merchantReference. */
  send(transaction: AccountTransaction, at: number): KnownRow {
    const { status, paidAtMs, ...fields } = transaction;
    let row =
      fields.reference === ''
        ? this.#byMerchantReference.get(fields.merchantReference as string)
        : this.#byReference.get(fields.reference);
    if (row === undefined) {
      row = { fields, pending: null, completed: null };
      this.rows.push(row);
      if (fields.reference === '') this.#byMerchantReference.set(fields.merchantReference as string, row);
      else this.#byReference.set(fields.reference, row);
    }
    const stage = status === 'pending' ? 'pending' : 'completed';
    row[stage] ??= { status, paidAtMs, sentAt: at, knownAt: Number.POSITIVE_INFINITY };
    return row;
  }

  /** Notes that a row is known to have been in a state. */
  know(row: KnownRow, status: string, at: number, reference: string = row.fields.reference): void {
    const stage = status === 'pending' ? row.pending : row.completed;
    assert.ok(stage !== null, `${reference} is ${status}, which nobody sent`);
    stage.knownAt = Math.min(stage.knownAt, at);
    if (row.fields.reference === '') {
      row.fields.reference = reference;
      assert.ok(!this.#byReference.has(reference), `${reference} was assigned twice`);
      this.#byReference.set(reference, row);
    }
    assert.equal(
      reference,
      row.fields.reference,
      'a transaction was recorded twice under one idempotency key',
    );
  }

  /** Whether nothing was on its way at a moment, and nothing was sent since. */
  isSettled(moment: number): boolean {
    return this.rows.every(({ pending, completed }) =>
      [pending, completed].every((stage) => stage === null || stage.knownAt <= moment),
    );
  }

  find(reference: string): KnownRow | undefined {
    return this.#byReference.get(reference);
  }

  /** The states that a read may find a row in; null for its not being there. */
  possible({ pending, completed }: KnownRow, floor: number, endedAt: number): (Stage | null)[] {
    const sent = [pending, completed].filter((stage) => stage !== null && stage.sentAt <= endedAt);
    if (completed !== null && completed.knownAt <= floor) return [completed];
    if (pending !== null && pending.knownAt <= floor) return sent;
    return [null, ...sent];
  }

  /** Checks a transaction that was shown, and returns its row. */
  checkShown(shown: TransactionBody, floor: number, { endedAt }: Interval): { row: KnownRow; stage: Stage } {
    const row =
      this.#byReference.get(shown.reference) ?? this.#byMerchantReference.get(shown.merchantReference ?? '');
    assert.ok(
      row !== undefined,
      `${this.account} was shown ${shown.reference}, which nobody recorded for it`,
    );
    const wrong = differingField(shown, row.fields);
    assert.ok(wrong === undefined, `${shown.reference} has another ${wrong} than was recorded`);
    const stage = this.possible(row, floor, endedAt).find((one) => one?.status === shown.status);
    assert.ok(stage, `${shown.reference} can't be ${shown.status} now`);
    const paidAtMs = shown.paidAt === null ? null : Date.parse(shown.paidAt);
    assert.equal(
      paidAtMs,
      stage.paidAtMs,
      `${shown.reference} is ${shown.status} with a wrong time of payment`,
    );
    this.know(row, shown.status, endedAt, shown.reference);
    return { row, stage };
  }

  /**
   * Checks a page of a walk, and moves the walk on.
   *
   * `floor` is the moment that the page must be at least as new as.
   */
  checkPage(walk: Walk, page: PageBody, floor: number, interval: Interval): void {
    const { filter } = walk;
    const before = walk.last;
    walk.floor = Math.max(walk.floor, floor);
    assert.equal(page.hasMore, page.nextCursor !== null, 'hasMore and nextCursor contradict each other');
    assert.ok(
      page.data.length <= 10 && (!page.hasMore || page.data.length === 10),
      'the page has a wrong size',
    );

    for (const shown of page.data) {
      const { row, stage } = this.checkShown(shown, walk.floor, interval);
      assert.ok(matches(filter, row.fields, stage), `${shown.reference} does not answer the filter`);
      assert.ok(
        walk.last === null || inOrder(walk.last, row.fields) < 0,
        `${shown.reference} stands after ${walk.last?.reference}, against the order`,
      );
      assert.ok(!walk.seen.has(shown.reference), `${shown.reference} was shown twice`);
      walk.seen.add(shown.reference);
      walk.last = row.fields;
      walk.floor = Math.max(walk.floor, stage.sentAt);
    }
    this.#checkNothingIsLost(walk, before, page, interval);
  }

  #checkNothingIsLost(walk: Walk, before: Place | null, page: PageBody, { endedAt }: Interval): void {
    const shownNow = new Set(page.data.map(({ reference }) => reference));
    let mayGoOn = false;
    for (const row of this.rows) {
      const { fields } = row;
      const possible = this.possible(row, walk.floor, endedAt);
      const fits = possible.filter((stage) => stage !== null && matches(walk.filter, fields, stage));
      if (fits.length === 0) continue;
      // Where only the service knows the reference, the row may stand on either side of those of its time.
      const unplaced = fields.reference === '' && fields.createdAtMs === walk.last?.createdAtMs;
      const isBehind = walk.last !== null && (unplaced || inOrder(walk.last, fields) < 0);
      if (isBehind) mayGoOn = true;
      if (fits.length < possible.length || shownNow.has(fields.reference)) continue;
      const isAhead = before === null || inOrder(before, fields) < 0;
      assert.ok(!isAhead || (page.hasMore && isBehind), `${fields.reference} was lost`);
    }
    assert.ok(!page.hasMore || mayGoOn, 'hasMore is true, and nothing can follow');
  }
}

/** The first field that is not as it was recorded. Compared one by one, because this is done for every row of every page. */
function differingField(shown: TransactionBody, fields: Unchanging): string | undefined {
  if (shown.merchantReference !== fields.merchantReference) return 'merchantReference';
  if (shown.amount !== decimal(fields.amountMinor)) return 'amount';
  if (shown.currencyCode !== fields.currencyCode) return 'currencyCode';
  if (shown.createdAt !== new Date(fields.createdAtMs).toISOString()) return 'createdAt';
  return undefined;
}

/** Written by another way than the service's. */
export function decimal(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}
