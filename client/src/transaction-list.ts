import { addDays, formatDay, parseDay } from '../../values/calendar.ts';
import { MAX_RANGE_DAYS } from '../../values/interface/limits.ts';
import { CursorExpiredError, UnexpectedResponseError } from './errors.ts';
import { refuseData, showPlace } from './misuse.ts';
import type { RequestOptions } from './send.ts';
import { singleReader, type Take, takeEach } from './single-reader.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';

interface PageStart {
  to: string | null;
  cursor: string | null;
}

type Position = Pick<Transaction, 'createdAt' | 'reference'>;

/** A position in a list, without the API key. Store it as JSON to continue in another process. */
export interface SavedPosition {
  version: 1;
  filters: ListFilters;
  /** The last transaction that the list has returned. */
  last: Position | null;
  /** Null at the end of the list. */
  next: PageStart | null;
}

export interface ListPage {
  data: Transaction[];
  hasMore: boolean;
  /** See `archivedBefore` of TransactionPage. */
  archivedBefore?: string;
}

type FetchPage = (query: PageQuery, options: RequestOptions) => Promise<TransactionPage>;

const MAX_EXPIRIES = 3;

/**
 * All transactions that match the filters, newest first, each once. After an expired cursor, the list
 * continues at the same place. A second loop over the same TransactionList continues where the first loop
 * stopped.
 */
export class TransactionList implements AsyncIterable<Transaction> {
  readonly #fetchPage: FetchPage;
  readonly #options: RequestOptions;
  readonly #filters: ListFilters;
  readonly #take: Take;
  #last: Position | null;
  #current: PageStart | null = null;
  #next: PageStart | null;
  #buffer: Transaction[] = [];
  /** True until the list has read up to its saved position, which can be in the middle of a page. */
  #isCatchingUp: boolean;
  #expiries = 0;
  #archivedBefore: string | undefined;

  constructor(fetchPage: FetchPage, { filters, last, next }: SavedPosition, options: RequestOptions) {
    this.#fetchPage = fetchPage;
    this.#options = options;
    this.#take = singleReader(options.signal, () => this.#fill());
    this.#filters = filters;
    this.#last = last;
    this.#next = next;
    this.#isCatchingUp = last !== null;
    showPlace('TransactionList', this);
    refuseData(this, ' or const { data } = await list.page()');
  }

  /** In the body of your `for await` loop, `list.toJSON()` is the position after the current transaction. */
  [Symbol.asyncIterator](): AsyncGenerator<Transaction, void, undefined> {
    return this.rows();
  }

  rows(): AsyncGenerator<Transaction, void, undefined> {
    return takeEach(this.#take, () => {
      const first = this.#buffer.shift();
      if (first !== undefined) this.#last = positionOf(first);
      return first;
    });
  }

  async *pages(): AsyncGenerator<ListPage, void, undefined> {
    for (;;) {
      const page = await this.page();
      if (page.data.length > 0) yield page;
      if (!page.hasMore) return;
    }
  }

  /**
   * Returns the rest of the current page or, if nothing is left of it, the next page. `hasMore` is true until
   * the whole range is read.
   */
  async page(): Promise<ListPage> {
    return this.#take(() => {
      const data = this.#buffer;
      const last = data.at(-1);
      this.#buffer = [];
      if (last !== undefined) this.#last = positionOf(last);
      const archivedBefore = this.#archivedBefore;
      return { data, hasMore: this.#next !== null, ...(archivedBefore !== undefined && { archivedBefore }) };
    });
  }

  /** The first day without archived transactions. Undefined until the list reaches archived days. */
  get archivedBefore(): string | undefined {
    return this.#archivedBefore;
  }

  toJSON(): SavedPosition {
    const next = this.#buffer.length > 0 ? this.#current : this.#next;
    return { version: 1, filters: { ...this.#filters }, last: this.#last, next: next && { ...next } };
  }

  async #fill(): Promise<void> {
    while (this.#buffer.length === 0 && this.#next !== null) await this.#read(this.#next);
  }

  async #read(start: PageStart): Promise<void> {
    const window = newestWindow({ ...this.#filters, to: start.to ?? undefined });
    const { merchantReference } = this.#filters;
    const query =
      start.cursor === null
        ? { ...this.#filters, ...window }
        : // A cursor contains its filters, except a long merchantReference.
          { cursor: start.cursor, ...(merchantReference !== undefined && { merchantReference }) };
    let page: TransactionPage;
    try {
      page = await this.#fetchPage(query, this.#options);
    } catch (error) {
      if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;
      if (++this.#expiries > MAX_EXPIRIES) throw error;
      this.#next = { to: start.to, cursor: error.cursor };
      return;
    }
    this.#archivedBefore = page.archivedBefore ?? this.#archivedBefore;
    const unseen = this.#unseen(page.data);
    if (unseen.length > 0) {
      this.#isCatchingUp = false;
      this.#expiries = 0;
    }
    const next = this.#startAfter(page, start, window);
    this.#next = next !== null && page.data.length === 0 ? await this.#skipGap(next) : next;
    this.#buffer = unseen;
    this.#current = start;
  }

  #startAfter({ nextCursor }: TransactionPage, { to }: PageStart, window: Days): PageStart | null {
    if (nextCursor !== null) return { to, cursor: nextCursor };
    const before = dayBefore(window, this.#filters);
    return before === undefined ? null : { to: before, cursor: null };
  }

  async #skipGap({ to }: PageStart): Promise<PageStart | null> {
    const page = await this.#fetchPage(
      { ...this.#filters, from: undefined, to: to ?? undefined },
      this.#options,
    );
    // An archived day looks like a day without transactions. Only `archivedBefore` shows the difference.
    const { archivedBefore } = page;
    if (archivedBefore !== undefined && (this.#filters.from ?? '') < archivedBefore)
      this.#archivedBefore = archivedBefore;
    const newest = page.data[0];
    if (newest === undefined) return null;
    const day = newestDay(newest.createdAt, to, this.#filters.timeZone);
    return day < (this.#filters.from ?? '') ? null : { to: day, cursor: null };
  }

  #unseen(data: readonly Transaction[]): Transaction[] {
    const inOrder = data.every((one, index) => index === 0 || isAfter(one, data[index - 1] as Transaction));
    const last = this.#last;
    const unseen = last === null ? [...data] : data.filter((transaction) => isAfter(transaction, last));
    if (!inOrder || (!this.#isCatchingUp && unseen.length < data.length)) {
      throw new UnexpectedResponseError(
        'The list is out of order: transactions could be lost or repeated.',
        null,
      );
    }
    return unseen;
  }
}

const positionOf = ({ createdAt, reference }: Transaction): Position => ({ createdAt, reference });

/** Timestamps have one form and references are ASCII, so string comparison is enough. */
function isAfter(left: Position, right: Position): boolean {
  if (left.createdAt !== right.createdAt) return left.createdAt < right.createdAt;
  return left.reference < right.reference;
}

type Days = Pick<ListFilters, 'from' | 'to'>;

/**
 * A long range is read in parts, newest part first. A wrong range is sent unchanged, so that the service
 * explains what is wrong.
 */
function newestWindow({ from, to }: Days): Days {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (first === undefined || last === undefined || last - first <= MAX_RANGE_DAYS) return { from, to };
  return { from: formatDay(last - MAX_RANGE_DAYS), to };
}

function dayBefore(window: Days, range: Days): string | undefined {
  if (window.from === undefined || window.from === range.from) return undefined;
  return addDays(window.from, -1);
}

/** The day in `timeZone` can be the day after the UTC day. */
function newestDay(createdAt: string, to: string | null, timeZone: string | undefined): string {
  const day = createdAt.slice(0, 10);
  if (timeZone === undefined) return day;
  const next = addDays(day, 1);
  return to !== null && next > to ? to : next;
}
