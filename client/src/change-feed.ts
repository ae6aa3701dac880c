import type { Change, ChangePage } from './change.ts';
import { ArgumentError } from './errors.ts';

/** The changes of one response, in order. */
export interface FeedPage {
  data: Change[];
  /** The largest number of the account when the service answered: how far the feed is behind. */
  headSequence: number;
}

/** The position of a feed as JSON: the `after` with which `client.changes.follow` continues it. */
export interface SavedFeed {
  after: number;
}

/**
 * Every change of the account after a number, in order and each once; the feed has no end. It can be read once: a second
 * loop continues where the first one stopped, also after an error.
 */
export class ChangeFeed implements AsyncIterable<Change> {
  readonly #fetchPage: (after: number) => Promise<ChangePage>;
  readonly #signal: AbortSignal | undefined;
  #after: number;
  /** Changes that were read and not yet returned. */
  #buffer: Change[] = [];
  #headSequence = 0;
  #isReading = false;

  /** Created by `client.changes.follow`. */
  constructor(
    fetchPage: (after: number) => Promise<ChangePage>,
    after: number,
    signal: AbortSignal | undefined,
  ) {
    this.#fetchPage = fetchPage;
    this.#after = after;
    this.#signal = signal;
  }

  /** The number of the last change that the feed returned, or the one after which it begins. */
  get after(): number {
    return this.#after;
  }

  /** Each change. `after` is the number of the change that the loop is at. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    for (;;) {
      yield await this.#take(() => {
        const change = this.#buffer.shift() as Change;
        this.#after = change.sequence;
        return change;
      });
    }
  }

  /** The changes of each response, for a copy that stores many changes in one transaction of its database. */
  async *pages(): AsyncGenerator<FeedPage, void, undefined> {
    for (;;) yield await this.page();
  }

  /** The changes of the next response, or the rest of those that were partly read: at least one. */
  async page(): Promise<FeedPage> {
    return this.#take(() => {
      const data = this.#buffer;
      this.#buffer = [];
      this.#after = (data.at(-1) as Change).sequence;
      return { data, headSequence: this.#headSequence };
    });
  }

  /** The position, for `client.changes.follow`. */
  toJSON(): SavedFeed {
    return { after: this.#after };
  }

  /** Takes from the buffer once it has a change. No other reader can take what this one waits for. */
  async #take<Taken>(take: () => Taken): Promise<Taken> {
    this.#signal?.throwIfAborted();
    if (this.#isReading)
      throw new ArgumentError('The feed is already being read. Wait for the other call to finish.');
    this.#isReading = true;
    try {
      await this.#fill();
      return take();
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads until the buffer has a change. */
  async #fill(): Promise<void> {
    while (this.#buffer.length === 0) {
      const { data, headSequence } = await this.#fetchPage(this.#after);
      this.#buffer = data;
      this.#headSequence = headSequence;
    }
  }
}
