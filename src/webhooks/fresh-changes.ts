import type { Change, ChangeReader } from '../ledger/changes/change.ts';
import { changeId } from '../ledger/changes/change-id.ts';
import { listChanges } from '../ledger/changes/list-changes.ts';
import type { DeliveryPlace } from './delivery-place.ts';

/** The changes of a page. They are in memory until they are delivered. */
const PAGE_CHANGES = 64;

/** The next changes of an account that no attempt was made for: at most a page of them is in memory. */
export class FreshChanges {
  readonly #changes: Change[] = [];
  #readUpTo: number;
  /** The nonce of that change; null if it was not read. */
  #nonce: number | null = null;
  #headSequence: number;
  #isNoted = true;

  /** `after`: the sequence number of the last change before them. */
  constructor(after: number) {
    this.#readUpTo = after;
    this.#headSequence = after;
  }

  get size(): number {
    return this.#changes.length;
  }

  /** The sequence number of the last change that was read. */
  get readUpTo(): number {
    return this.#readUpTo;
  }

  /** The largest sequence number of the account that is known. */
  get headSequence(): number {
    return this.#headSequence;
  }

  /** Whether there may be changes to read now. */
  get isReadable(): boolean {
    return this.#changes.length === 0 && (this.#isNoted || this.#headSequence > this.#readUpTo);
  }

  /** Whether the next change is not known to exist. */
  get isAtHead(): boolean {
    return this.#changes.length === 0 && this.#headSequence <= this.#readUpTo;
  }

  at(index: number): Change | undefined {
    return this.#changes[index];
  }

  /** A change was recorded, or other changes than known ones may be there. */
  note(): void {
    this.#isNoted = true;
  }

  /** The head sequence was read. */
  noteHead(headSequence: number): void {
    // A smaller one is late, or the database was restored: a read shows which.
    if (headSequence !== this.#readUpTo) this.#isNoted = true;
    this.#headSequence = Math.max(this.#headSequence, headSequence);
  }

  /**
   * Reads a page and adds the changes that are wanted. `place` settles the others.
   *
   * Throws: as listChanges.
   */
  async read(
    reader: Pick<ChangeReader, 'listChanges'>,
    account: string,
    isWanted: (change: Change) => boolean,
    place: Pick<DeliveryPlace, 'settle'>,
  ): Promise<void> {
    this.#isNoted = false;
    const after = this.#readUpTo;
    try {
      const nonce = this.#nonce;
      const afterId = nonce === null ? undefined : changeId(account, { sequence: after, nonce });
      const query = { account, after, afterId, limit: PAGE_CHANGES };
      const { last, changes, headSequence } = await listChanges(reader, query);
      // Another instance has gone on meanwhile.
      if (this.#readUpTo !== after) return;
      if (last !== undefined) this.#nonce = last.nonce;
      for (const change of changes) {
        if (isWanted(change)) this.#changes.push(change);
        else place.settle(change);
        this.#readUpTo = change.sequence;
        this.#nonce = change.nonce;
      }
      this.#headSequence = Math.max(headSequence, this.#readUpTo);
    } catch (error) {
      this.#isNoted = true;
      throw error;
    }
  }

  take(change: Change): void {
    this.#changes.splice(this.#changes.indexOf(change), 1);
  }

  /** The change is again one of the next. */
  putBack(change: Change): void {
    const index = this.#changes.findIndex(({ sequence }) => sequence > change.sequence);
    this.#changes.splice(index === -1 ? this.#changes.length : index, 0, change);
  }

  /** Drops those that do not have to be attempted any more, and returns them. */
  drop(isDropped: (change: Change) => boolean): Change[] {
    const dropped = this.#changes.filter(isDropped);
    for (const change of dropped) this.take(change);
    return dropped;
  }

  /** Every change up to a number was settled by another instance. */
  advance(acknowledged: number): void {
    this.drop(({ sequence }) => sequence <= acknowledged);
    if (acknowledged > this.#readUpTo) {
      this.#readUpTo = acknowledged;
      this.#nonce = null;
    }
    this.#headSequence = Math.max(this.#headSequence, acknowledged);
  }
}
