import type { ChangePage, ChangeQuery, FeedQuery } from './change.ts';
import { ChangeFeed, type RewindableCopy } from './change-feed.ts';
import { readChangePage } from './change-page.ts';
import { ArgumentError, HistoryChangedError } from './errors.ts';
import { checkNames } from './known-names.ts';
import { FeedSeals, fetchSeal } from './seal.ts';
import { checkRequestOptions, type RequestOptions, type Send, type SendSettings } from './send.ts';
import { wholeNumber } from './whole-number.ts';

const BOUNDS: Readonly<Record<'after' | 'limit' | 'wait', readonly [min: number, max: number]>> = {
  after: [0, Number.MAX_SAFE_INTEGER],
  limit: [1, 1000],
  wait: [0, 30],
};

const PARAMETERS = ['after', 'afterId', 'limit', 'wait'] satisfies (keyof ChangeQuery)[];
const OF_FEEDS = ['verify', 'seal'] satisfies (keyof FeedQuery)[];

/** Shorter than the 30 seconds after which many proxies end a request with a 504. */
const FEED_WAIT_SECONDS = 25;

const CHANGE_ID = /^[\w-]{1,40}$/;

const MIN_INTERVAL_MS = 500;

interface FeedOptions extends RequestOptions {
  copy?: RewindableCopy | undefined;
}

type Timing = Pick<SendSettings, 'now' | 'sleep' | 'random'>;

export class Changes {
  readonly #send: Send;
  readonly #root: string;
  readonly #timing: Timing;

  constructor(send: Send, { now, sleep, random }: Timing, root: string) {
    this.#send = send;
    this.#root = root;
    this.#timing = { now, sleep, random };
  }

  /**
   * Every change numbered above `after`, in order. The feed has no end. Only reading it sends requests.
   *
   * In an outage, the feed retries until `signal` aborts or the client's `maxRetries` is reached. Errors that
   * retrying cannot fix, such as AuthenticationError, are thrown.
   *
   * With `verify`, the feed throws SealMismatchError if a recorded value was altered in the database.
   *
   * If the service's database is restored from a backup, its newest changes are lost. With the option `copy`,
   * the feed undoes them in your copy. Otherwise, it throws HistoryChangedError, or SequenceAheadError if the
   * position has no `afterId`.
   *
   * @example
   * const feed = client.changes.follow({ after: 600 });
   * for await (const { type, transaction } of feed) {
   *   console.log(type, transaction.reference);
   *   const position = JSON.stringify(feed); // stored, to continue with follow(JSON.parse(position))
   * }
   */
  follow(query: FeedQuery = {}, options: FeedOptions = {}): ChangeFeed {
    const { wait = FEED_WAIT_SECONDS, ...position } = checkQuery(query, [...PARAMETERS, ...OF_FEEDS]);
    // With a wait of 0, an idle feed would send about one request per second.
    wholeNumber('wait', wait, 1, BOUNDS.wait[1]);
    return this.#feed({ ...position, wait }, options);
  }

  /**
   * Like `follow`, but the feed ends at the account's last change. It throws in a long outage, and a later
   * call can continue at the saved position.
   *
   * @example
   * for await (const { data } of client.changes.catchUp({ after: 600 }).pages())
   *   console.log(data.length);
   */
  catchUp(query: Omit<FeedQuery, 'wait'> = {}, options: FeedOptions = {}): ChangeFeed {
    return this.#feed(checkQuery(query, ['after', 'afterId', 'limit', ...OF_FEEDS]), options);
  }

  #feed(
    { after = 0, afterId, limit = 1000, wait, seal, verify = seal !== undefined }: CheckedQuery,
    given: FeedOptions,
  ): ChangeFeed {
    checkRequestOptions(given, ['copy']);
    const { copy, ...options } = given;
    const isEndless = wait !== undefined;
    const { now, sleep, random } = this.#timing;
    const fetchPage = async (from: number, fromId: string | undefined) => {
      const startedAtMs = now();
      const position = fromId === undefined ? { after: from } : { after: from, afterId: fromId };
      const page = await this.#read({ ...position, limit, ...(isEndless && { wait }) }, options, isEndless);
      // A proxy or a stopping service can end the wait early. This pause then limits the requests.
      if (isEndless && page.data.length === 0 && now() - startedAtMs < MIN_INTERVAL_MS)
        await sleep(MIN_INTERVAL_MS * (1 + random()), options.signal);
      return page;
    };
    const hasChange = (sequence: number, id: string) =>
      this.#read({ after: sequence, afterId: id, limit: 1 }, options, isEndless).then(
        () => true,
        (error) => {
          if (error instanceof HistoryChangedError) return false;
          throw error;
        },
      );
    const from = afterId === undefined ? { after } : { after, afterId };
    const source = { endsAtHead: !isEndless, fetchPage, hasChange };
    const readSeal = () => fetchSeal(this.#send, this.#root, options, isEndless);
    const seals = verify ? new FeedSeals({ ...from, seal }, readSeal, now) : undefined;
    return new ChangeFeed(source, from, { copy, signal: options.signal, seals });
  }

  /**
   * @throws HistoryChangedError if the id of the change at `after` is not `afterId`.
   * @throws SequenceAheadError if `after` is larger than the largest number of the account.
   * @throws UnexpectedResponseError if a change is missing or repeated.
   */
  async list(query: ChangeQuery = {}, options: RequestOptions = {}): Promise<ChangePage> {
    checkRequestOptions(options);
    return this.#read(checkQuery(query), options, false);
  }

  async #read(checked: CheckedQuery, options: RequestOptions, isFeed: boolean): Promise<ChangePage> {
    const { wait = 0 } = checked;
    const search = Object.entries(checked).map(([name, value]) => `${name}=${value}`);
    const path = `${this.#root}/changes${search.length === 0 ? '' : `?${search.join('&')}`}`;
    const { body, requestId } = await this.#send(path, options, wait * 1000, isFeed);
    return readChangePage(body, checked, requestId);
  }
}

type CheckedQuery = { [Name in keyof FeedQuery]: NonNullable<FeedQuery[Name]> };

function changeId(id: unknown): string {
  if (typeof id === 'string' && CHANGE_ID.test(id)) return id;
  throw new ArgumentError(
    'afterId is not the id of a change: pass the lastId of a page, or the id of a change.',
  );
}

function checkQuery(query: FeedQuery, known: readonly string[] = PARAMETERS): CheckedQuery {
  if (typeof query !== 'object' || query === null)
    throw new ArgumentError('The parameters are not an object: pass { after }.');
  checkNames('parameter', query, known);
  const { verify, seal } = query;
  const checked: CheckedQuery = {
    ...(verify !== undefined && { verify }),
    ...(seal !== undefined && { seal }),
  };
  for (const [name, [min, max]] of Object.entries(BOUNDS) as [keyof typeof BOUNDS, [number, number]][]) {
    const value = query[name];
    if (value !== undefined) checked[name] = wholeNumber(name, value, min, max);
  }
  if (query.afterId !== undefined) checked.afterId = changeId(query.afterId);
  return checked;
}
