import type { Change, ChangePage } from './change.ts';
import { ChangesArchivedError, HistoryChangedError, SequenceAheadError } from './errors.ts';
import { refuseData, showPlace } from './misuse.ts';
import type { FeedSeals } from './seal.ts';
import { singleReader, type Take, takeEach } from './single-reader.ts';

export interface FeedPage {
  data: Change[];
  /** The number of the account's last change at the time of the response. */
  headSequence: number;
}

/** The position of a feed as JSON. To continue, pass it to `client.changes.follow` or `catchUp`. */
export interface SavedFeed {
  after: number;
  /** The id of the change at `after`; absent if the feed does not know the id. */
  afterId?: string;
  /** The seal at `after`; absent unless the feed verifies changes. */
  seal?: string;
}

/**
 * Your copy of the account. If the service is restored from a backup, the newest changes are lost, so the
 * copy must undo these changes.
 */
export interface RewindableCopy {
  /**
   * Returns the id that the copy has stored for the change with this number. Returns null if the copy began
   * to store ids only after this change.
   */
  idAt(sequence: number): string | null | Promise<string | null>;
  /** Undoes all changes after `sequence`. The feed then continues after `sequence`. */
  rewindTo(sequence: number): void | Promise<void>;
}

interface FeedParts {
  copy?: RewindableCopy | undefined;
  signal?: AbortSignal | undefined;
  seals?: FeedSeals | undefined;
}

interface FeedSource {
  endsAtHead: boolean;
  fetchPage(after: number, afterId: string | undefined): Promise<ChangePage>;
  hasChange(sequence: number, id: string): Promise<boolean>;
}

/**
 * The account's changes in order, each once. A feed of `follow` never ends. A second loop over the same feed
 * continues where the first loop stopped, even after an error.
 */
export class ChangeFeed implements AsyncIterable<Change> {
  readonly #source: FeedSource;
  readonly #copy: RewindableCopy | undefined;
  readonly #seals: FeedSeals | undefined;
  readonly #take: Take;
  #after: number;
  #afterId: string | undefined;
  #buffer: Change[] = [];
  #headSequence = 0;
  #isAtEnd = false;

  constructor(source: FeedSource, { after, afterId }: SavedFeed, { copy, signal, seals }: FeedParts) {
    this.#source = source;
    this.#after = after;
    this.#afterId = afterId;
    this.#copy = copy;
    this.#take = singleReader(signal, () => this.#fill());
    this.#seals = seals;
    showPlace('ChangeFeed', this);
    refuseData(this, ' or await feed.page()');
  }

  /** The number of the last change that the feed returned. At first, the number after which it begins. */
  get after(): number {
    return this.#after;
  }

  /** Undefined while the feed does not know the id of the change at `after`. */
  get afterId(): string | undefined {
    return this.#afterId;
  }

  /** `after` is the number of the change that your `for await` loop handles. */
  [Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    return takeEach(this.#take, () => {
      const first = this.#buffer.shift();
      if (first !== undefined) this.#moveTo(first);
      return first;
    });
  }

  /** Yields whole pages, so that a copy can store each page with one commit. */
  async *pages(): AsyncGenerator<FeedPage, void, undefined> {
    for (;;) {
      const page = await this.page();
      if (page.data.length === 0) return;
      yield page;
    }
  }

  /**
   * Returns the rest of the last response or, if nothing is left of it, the next response. `data` is empty
   * only at the end of the feed.
   */
  async page(): Promise<FeedPage> {
    return this.#take(() => {
      const data = this.#buffer;
      this.#buffer = [];
      const last = data.at(-1);
      if (last !== undefined) this.#moveTo(last);
      return { data, headSequence: this.#headSequence };
    });
  }

  /** The feed's position. After a SealMismatchError, the last position where the service's seal was right. */
  toJSON(): SavedFeed {
    const agreed = this.#seals?.beforeAltered;
    if (agreed !== undefined) return agreed;
    const seal = this.#seals?.at(this.#after);
    return {
      after: this.#after,
      ...(this.#afterId !== undefined && { afterId: this.#afterId }),
      ...(seal !== undefined && { seal }),
    };
  }

  #moveTo({ sequence, id }: Change): void {
    this.#after = sequence;
    this.#afterId = id;
  }

  async #fill(): Promise<void> {
    if (this.#copy !== undefined && this.#afterId === undefined && this.#after > 0)
      this.#afterId = (await this.#copy.idAt(this.#after)) ?? undefined;
    while (this.#buffer.length === 0 && !this.#isAtEnd) {
      try {
        const { data, headSequence, lastId, hasMore } = await this.#source.fetchPage(
          this.#after,
          this.#afterId,
        );
        const isAtEnd = this.#source.endsAtHead && !hasMore;
        await this.#seals?.add(data, isAtEnd);
        this.#buffer = data;
        this.#headSequence = headSequence;
        this.#isAtEnd = isAtEnd;
        if (data.length === 0) this.#afterId = lastId ?? undefined;
      } catch (error) {
        const isOtherHistory = error instanceof HistoryChangedError || error instanceof SequenceAheadError;
        if (this.#copy === undefined || !isOtherHistory) throw error;
        await this.#rewind(this.#copy, error);
      }
    }
  }

  /**
   * Searches by bisection for the last change that the copy and the service share. If they share a change,
   * they share all earlier changes.
   */
  async #rewind(copy: RewindableCopy, error: HistoryChangedError | SequenceAheadError): Promise<void> {
    let common = 0;
    let commonId: string | undefined;
    let archived: ChangesArchivedError | undefined;
    let highest = Math.min(this.#after, error.headSequence ?? this.#after);
    while (common < highest) {
      const middle = common + Math.ceil((highest - common) / 2);
      const id = await copy.idAt(middle);
      try {
        if (id !== null && !(await this.#source.hasChange(middle, id))) highest = middle - 1;
        else [common, commonId] = [middle, id ?? undefined];
      } catch (failure) {
        if (!(failure instanceof ChangesArchivedError)) throw failure;
        // `middle` is archived. The service can compare only changes from `floorSequence` on.
        archived = failure;
        common = (failure.floorSequence ?? highest + 1) - 1;
      }
    }
    if (commonId === undefined && (common > 0 || archived !== undefined)) throw archived ?? error;
    if (this.#seals?.rewindTo(common) === false) throw error;
    await copy.rewindTo(common);
    this.#after = common;
    this.#afterId = commonId;
  }
}
