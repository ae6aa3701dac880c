import { PENDING } from '../../../values/status.ts';
import type { Change, ChangeReader } from '../changes/change.ts';
import type { Position } from '../list/list.ts';
import { compareInList } from '../transaction.ts';
import type { Export, NumberedTransaction } from './export.ts';

/** This many changes take some MB of memory. */
export const MAX_CHANGES_SINCE = 20_000;

/** Transactions that were pending at `asOf`, but are no longer in the list of pending transactions. */
export class LeftPending {
  readonly #reader: ChangeReader;
  readonly #account: string;
  readonly #asOf: number;
  #readUpTo: number;
  /** Transactions that became pending after `asOf`, so the export does not contain them. */
  readonly #recordedSince = new Set<string>();
  #left: NumberedTransaction[] = [];

  constructor(reader: ChangeReader, { account, asOf }: Pick<Export, 'account' | 'asOf'>) {
    this.#reader = reader;
    this.#account = account;
    this.#asOf = asOf;
    this.#readUpTo = asOf;
  }

  /** Reads no changes and returns false if more than MAX_CHANGES_SINCE changes were recorded after `asOf`. */
  async update(
    exportedUpTo: Position | null,
    { limit, next }: { limit: number; next(): Promise<void> },
  ): Promise<boolean> {
    const account = this.#account;
    const head = (await this.#reader.readHeads([account])).get(account) ?? 0;
    if (head - this.#asOf > MAX_CHANGES_SINCE) return false;
    const before = this.#left.length;
    while (this.#readUpTo < head) {
      const { changes } = await this.#reader.listChanges({ account, after: this.#readUpTo, limit });
      const last = changes.at(-1);
      if (last === undefined) throw new Error('the changes up to the head sequence are missing');
      for (const change of changes) this.#note(change, exportedUpTo);
      this.#readUpTo = last.sequence;
      await next();
    }
    if (this.#left.length > before)
      this.#left.sort((left, right) => compareInList(left.transaction, right.transaction));
    return true;
  }

  /** Null takes all transactions. */
  takeThrough(end: Position | null): NumberedTransaction[] {
    const kept =
      end === null ? -1 : this.#left.findIndex(({ transaction }) => compareInList(transaction, end) > 0);
    return this.#left.splice(0, kept === -1 ? this.#left.length : kept);
  }

  #note(change: Change, exportedUpTo: Position | null): void {
    const { sequence, previousStatus, recordedAtMs, transaction } = change;
    const { reference } = transaction;
    if (transaction.status === PENDING) this.#recordedSince.add(reference);
    if (previousStatus !== PENDING || this.#recordedSince.delete(reference)) return;
    if (exportedUpTo !== null && compareInList(transaction, exportedUpTo) <= 0) return;
    this.#left.push({
      transaction,
      // It was pending at `asOf`. When it became pending is unknown.
      pendingSequence: this.#asOf,
      pendingRecordedAtMs: null,
      finalSequence: sequence,
      finalRecordedAtMs: recordedAtMs,
    });
  }
}
