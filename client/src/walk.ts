import { ArgumentError, CursorExpiredError, UnexpectedResponseError } from './errors.ts';
import type { RequestOptions } from './send.ts';
import type { ListFilters, PageQuery, Transaction, TransactionPage } from './transaction.ts';
import { dayBefore, newestWindow } from './window.ts';

/** Where a list is read on: from the newest of its filters' last day, or behind a cursor. */
interface Place {
  to: string | null;
  cursor: string | null;
}

/** A place in the order of the list: createdAt descending, then reference descending. */
type Position = Pick<Transaction, 'createdAt' | 'reference'>;

/** How far a walk has come, as JSON. It holds no key: store it, and go on with it in another process. */
export interface SavedWalk {
  version: 1;
  filters: ListFilters;
  /** The last transaction that was handed out. */
  last: Position | null;
  /** Null where the walk is over. */
  next: Place | null;
}

export interface WalkPage {
  data: Transaction[];
  /** False on the last page. */
  hasMore: boolean;
}

export type FetchPage = (query: PageQuery, options: RequestOptions) => Promise<TransactionPage>;

/** A walk whose cursors expire so often without a new transaction in between goes nowhere. */
const MAX_EXPIRIES = 3;

/**
 * All transactions of some filters, newest first, each once: over the pages, over ranges longer than one list
 * may ask for, over cursors that expire. It can be read once; a loop that was left is taken up by the next.
 */
export class TransactionWalk implements AsyncIterable<Transaction> {
  readonly #fetchPage: FetchPage;
  readonly #options: RequestOptions;
  readonly #filters: ListFilters;
  #last: Position | null;
  /** The place that the buffered transactions came from. */
  #current: Place | null = null;
  #next: Place | null;
  #inHand: Transaction[] = [];
  /** Whether pages may begin with what was handed out already. */
  #isCatchingUp: boolean;
  #expiries = 0;
  #isReading = false;

  /** Made by `client.transactions.list` and `client.transactions.resume`. */
  constructor(fetchPage: FetchPage, { filters, last, next }: SavedWalk, options: RequestOptions) {
    this.#fetchPage = fetchPage;
    this.#options = options;
    this.#filters = filters;
    this.#last = last;
    this.#next = next;
    this.#isCatchingUp = last !== null;
  }

  /** Each transaction. A yielded transaction counts as read: `toJSON` continues after it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Transaction, void, undefined> {
    for (;;) {
      await this.#fill();
      const transaction = this.#inHand.shift();
      if (transaction === undefined) return;
      this.#last = positionOf(transaction);
      yield transaction;
    }
  }

  /** Each page, none of them empty. */
  async *pages(): AsyncGenerator<WalkPage, void, undefined> {
    for (;;) {
      const page = await this.page();
      if (page.data.length > 0) yield page;
      if (!page.hasMore) return;
    }
  }

  /**
   * The next page, or what is left of one whose beginning was read. It is empty where nothing is left. Behind the
   * end of a part of a long range, `hasMore` is true as long as another part has to be looked at.
   */
  async page(): Promise<WalkPage> {
    await this.#fill();
    const data = this.#inHand;
    const last = data.at(-1);
    this.#inHand = [];
    if (last !== undefined) this.#last = positionOf(last);
    return { data, hasMore: this.#next !== null };
  }

  /** How far this walk has come, for `client.transactions.resume`. */
  toJSON(): SavedWalk {
    const next = this.#inHand.length > 0 ? this.#current : this.#next;
    return { version: 1, filters: { ...this.#filters }, last: this.#last, next: next && { ...next } };
  }

  /** Reads pages until a transaction is buffered or the list ends. */
  async #fill(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (this.#isReading) throw new ArgumentError('A walk is read by one reader at a time.');
    this.#isReading = true;
    try {
      while (this.#inHand.length === 0 && this.#next !== null) await this.#read(this.#next);
    } finally {
      this.#isReading = false;
    }
  }

  async #read(place: Place): Promise<void> {
    const window = newestWindow({ ...this.#filters, to: place.to ?? undefined });
    const { merchantReference } = this.#filters;
    const query =
      place.cursor === null
        ? { ...this.#filters, ...window }
        : // A cursor carries its filters, but for a long one of these.
          { cursor: place.cursor, ...(merchantReference !== undefined && { merchantReference }) };
    let page: TransactionPage;
    try {
      page = await this.#fetchPage(query, this.#options);
    } catch (error) {
      if (!(error instanceof CursorExpiredError) || ++this.#expiries > MAX_EXPIRIES) throw error;
      this.#next = this.#placeOfLast(place);
      this.#isCatchingUp = true;
      return;
    }
    const fresh = this.#unseen(page.data);
    if (fresh.length > 0) {
      this.#isCatchingUp = false;
      this.#expiries = 0;
    }
    const next = this.#placeAfter(page, place, window);
    // A part that was empty from its beginning may be followed by years of such.
    this.#next = next !== null && page.data.length === 0 ? await this.#skipGap(next) : next;
    this.#inHand = fresh;
    this.#current = place;
  }

  /**
   * Lists the day of the last transaction again, and skips the transactions already yielded by their position in the order.
   * The position is exact among equal times, and does not move when transactions are recorded.
   */
  #placeOfLast({ to }: Place): Place {
    const day = this.#last?.createdAt.slice(0, 10) ?? null;
    return { to: to === null || (day !== null && day < to) ? day : to, cursor: null };
  }

  #placeAfter(
    { nextCursor }: TransactionPage,
    { to }: Place,
    window: ReturnType<typeof newestWindow>,
  ): Place | null {
    if (nextCursor !== null) return { to, cursor: nextCursor };
    const before = dayBefore(window, this.#filters);
    return before === undefined ? null : { to: before, cursor: null };
  }

  /** The newest day with transactions that is no newer than a place, where the range goes back so far. */
  async #skipGap({ to }: Place): Promise<Place | null> {
    const page = await this.#fetchPage(
      { ...this.#filters, from: undefined, to: to ?? undefined },
      this.#options,
    );
    const day = page.data[0]?.createdAt.slice(0, 10);
    return day === undefined || day < (this.#filters.from ?? '') ? null : { to: day, cursor: null };
  }

  /** The transactions of a page behind the last one. A list out of order would lose some, so it is refused. */
  #unseen(data: readonly Transaction[]): Transaction[] {
    const inOrder = data.every((one, index) => index === 0 || isBehind(one, data[index - 1] as Transaction));
    const last = this.#last;
    const fresh = last === null ? [...data] : data.filter((one) => isBehind(one, last));
    if (!inOrder || (!this.#isCatchingUp && fresh.length < data.length)) {
      throw new UnexpectedResponseError(
        'The list is not in its order: transactions could be lost or repeated.',
        null,
      );
    }
    return fresh;
  }
}

const positionOf = ({ createdAt, reference }: Transaction): Position => ({ createdAt, reference });

/** Times have one form and references are ASCII, so that texts compare as times and as bytes. */
function isBehind(one: Position, other: Position): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.reference < other.reference;
}
