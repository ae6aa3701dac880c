import assert from 'node:assert/strict';
import type { TransactionBody } from '../../../src/ledger/http/transaction-schemas.ts';
import type { ListFilter } from '../../../src/ledger/list/list-filter.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { compareInList, decimal, matches } from '../../model/transactions.ts';

/*
 * An oracle that knows only what the clients of an account sent and received; it never reads a store. A transaction
 * that was sent may be recorded; one that was acknowledged or shown is recorded. A page is compared with what it must
 * contain and what it may contain, however many requests are in flight.
 *
 * Units: a moment is a number of any kind that only grows. All users of one KnownTransactions count the same moments.
 */

/** One state of a transaction: pending, then completed. */
export interface State {
  status: string;
  paidAtMs: number | null;
  /** When it was first sent. */
  sentAt: number;
  /** From when on it is known to be recorded. */
  knownAt: number;
}

type ImmutableFields = Omit<AccountTransaction, 'status' | 'paidAtMs'>;

export interface KnownTransaction {
  /** The reference is empty until the service has returned the one that it assigned. */
  fields: ImmutableFields;
  pending: State | null;
  completed: State | null;
}

/** The moments of a request and of its response. */
export interface Interval {
  startedAt: number;
  endedAt: number;
}

type ListPosition = Pick<ImmutableFields, 'createdAtMs' | 'reference'>;

/** A walk through one list, with the transactions shown so far. */
export class Walk {
  readonly filter: ListFilter;
  readonly seen = new Set<string>();
  last: ListPosition | null = null;
  /** No page may show an older state than this moment, because an earlier page has shown this one. */
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

/** The known transactions of one account. */
export class KnownTransactions {
  readonly account: string;
  readonly rows: KnownTransaction[] = [];
  readonly #byReference = new Map<string, KnownTransaction>();
  readonly #byMerchantReference = new Map<string, KnownTransaction>();

  constructor(account: string) {
    this.account = account;
  }

  /** Notes that a recording is in flight. If the service assigns the reference, merchantReference identifies it. */
  noteSent(transaction: AccountTransaction, at: number): KnownTransaction {
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
    const state = status === 'pending' ? 'pending' : 'completed';
    row[state] ??= { status, paidAtMs, sentAt: at, knownAt: Number.POSITIVE_INFINITY };
    return row;
  }

  /** Notes that a transaction is known to be recorded with a status. */
  noteRecorded(
    row: KnownTransaction,
    status: string,
    at: number,
    reference: string = row.fields.reference,
  ): void {
    const state = status === 'pending' ? row.pending : row.completed;
    assert.ok(state !== null, `${reference} is ${status}, and was never sent so`);
    state.knownAt = Math.min(state.knownAt, at);
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

  /** Whether no recording was in flight at a moment, and none was sent since. */
  isSettled(moment: number): boolean {
    return this.rows.every(({ pending, completed }) =>
      [pending, completed].every((state) => state === null || state.knownAt <= moment),
    );
  }

  find(reference: string): KnownTransaction | undefined {
    return this.#byReference.get(reference);
  }

  /** The states that a read may find a transaction in; null if it may be absent. */
  possibleStates({ pending, completed }: KnownTransaction, floor: number, endedAt: number): (State | null)[] {
    const sent = [pending, completed].filter((state) => state !== null && state.sentAt <= endedAt);
    if (completed !== null && completed.knownAt <= floor) return [completed];
    if (pending !== null && pending.knownAt <= floor) return sent;
    return [null, ...sent];
  }

  /** Checks a transaction in a response, and returns its known state. */
  checkShown(
    shown: TransactionBody,
    floor: number,
    { endedAt }: Interval,
  ): { row: KnownTransaction; state: State } {
    const row =
      this.#byReference.get(shown.reference) ?? this.#byMerchantReference.get(shown.merchantReference ?? '');
    assert.ok(
      row !== undefined,
      `${this.account} was shown ${shown.reference}, which was never recorded for it`,
    );
    const wrong = differingField(shown, row.fields);
    assert.ok(wrong === undefined, `${shown.reference} has another ${wrong} than was recorded`);
    const state = this.possibleStates(row, floor, endedAt).find((one) => one?.status === shown.status);
    assert.ok(state, `${shown.reference} can't be ${shown.status} now`);
    const paidAtMs = shown.paidAt === null ? null : Date.parse(shown.paidAt);
    assert.equal(
      paidAtMs,
      state.paidAtMs,
      `${shown.reference} is ${shown.status} with a wrong time of payment`,
    );
    this.noteRecorded(row, shown.status, endedAt, shown.reference);
    return { row, state };
  }

  /**
   * Checks the next page of a walk.
   *
   * `floor` is the oldest moment whose state the page may show.
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
      const { row, state } = this.checkShown(shown, walk.floor, interval);
      assert.ok(
        matches(filter, { ...row.fields, status: state.status }),
        `${shown.reference} does not match the filter`,
      );
      assert.ok(
        walk.last === null || compareInList(walk.last, row.fields) < 0,
        `${shown.reference} follows ${walk.last?.reference}, against the order`,
      );
      assert.ok(!walk.seen.has(shown.reference), `${shown.reference} was shown twice`);
      walk.seen.add(shown.reference);
      walk.last = row.fields;
      walk.floor = Math.max(walk.floor, state.sentAt);
    }
    this.#checkNoneIsLost(walk, before, page, interval);
  }

  #checkNoneIsLost(walk: Walk, before: ListPosition | null, page: PageBody, { endedAt }: Interval): void {
    const shownNow = new Set(page.data.map(({ reference }) => reference));
    let mayHaveMore = false;
    for (const row of this.rows) {
      const { fields } = row;
      const possible = this.possibleStates(row, walk.floor, endedAt);
      const fits = possible.filter(
        (state) => state !== null && matches(walk.filter, { ...fields, status: state.status }),
      );
      if (fits.length === 0) continue;
      // While only the service knows the reference, the position among transactions of the same createdAt is unknown.
      const isUnplaced = fields.reference === '' && fields.createdAtMs === walk.last?.createdAtMs;
      const isBehind = walk.last !== null && (isUnplaced || compareInList(walk.last, fields) < 0);
      if (isBehind) mayHaveMore = true;
      if (fits.length < possible.length || shownNow.has(fields.reference)) continue;
      const isAhead = before === null || compareInList(before, fields) < 0;
      assert.ok(!isAhead || (page.hasMore && isBehind), `${fields.reference} was lost`);
    }
    assert.ok(!page.hasMore || mayHaveMore, 'hasMore is true, and no transaction can follow');
  }
}

/** The first field that differs from the recorded one. Field by field, because this runs for every row of every page. */
function differingField(shown: TransactionBody, fields: ImmutableFields): string | undefined {
  if (shown.merchantReference !== fields.merchantReference) return 'merchantReference';
  if (shown.amount !== decimal(fields.amountMinor)) return 'amount';
  if (shown.currencyCode !== fields.currencyCode) return 'currencyCode';
  if (shown.createdAt !== new Date(fields.createdAtMs).toISOString()) return 'createdAt';
  return undefined;
}
