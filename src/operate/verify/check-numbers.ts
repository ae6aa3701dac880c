import type { Archive } from '../../ledger/archives/archive.ts';
import type { Disagreement, FaultAt } from '../disagreement.ts';
import type { StoredHead, StoredRow } from '../stored-rows.ts';
import { NumberSet } from './number-set.ts';

/** `upTo` is the latest sequence number when the check begins. Later numbers are left out. */
export class AccountNumbers {
  readonly account: string;
  readonly upTo: number;
  readonly numbers = new NumberSet();
  readonly #archive: Pick<Archive, 'floorSequence' | 'floorNonce' | 'removedChanges'>;

  constructor(account: string, { head, largest }: StoredHead, archive: Archive | undefined) {
    this.account = account;
    this.upTo = head ?? largest;
    this.#archive = archive ?? { floorSequence: 0, floorNonce: 0, removedChanges: 0 };
  }

  add(row: StoredRow): Disagreement[] {
    const { pendingSequence, finalSequence } = row;
    const repeated: number[] = [];
    if (this.#isCovered(pendingSequence) && !this.numbers.add(pendingSequence))
      repeated.push(pendingSequence);
    // If the row's own two numbers are equal, another check reports it, so this one does not.
    const isNext = this.#isCovered(finalSequence) && finalSequence !== pendingSequence;
    if (isNext && !this.numbers.add(finalSequence)) repeated.push(finalSequence);
    const found = repeated.map((sequence) =>
      this.#fault({
        place: `transaction ${row.reference}`,
        found: `the sequence number ${sequence}, which another transaction has too`,
        expected: 'a different number for each change',
      }),
    );
    if (!this.#isOtherFloor(row)) return found;
    const otherFloor = this.#fault({
      place: 'archive',
      found: `the floor ${this.#archive.floorSequence}, whose change has another id`,
      contradicts: `the change with this number, of the transaction ${row.reference}`,
    });
    return [...found, otherFloor];
  }

  #fault = (fault: FaultAt): Disagreement => ({ check: 'numbers', account: this.account, ...fault });

  #isOtherFloor({ pendingSequence, pendingNonce, finalSequence, finalNonce }: StoredRow): boolean {
    const { floorSequence, floorNonce } = this.#archive;
    // Without an archive, `floorSequence` is 0, and no change has this number.
    if (floorSequence === 0) return false;
    return (
      (pendingSequence === floorSequence && pendingNonce !== floorNonce) ||
      (finalSequence === floorSequence && finalNonce !== floorNonce)
    );
  }

  /** Returns false if the first number is above `upTo`, as for a row that was recorded during the check. */
  wasRecorded({ pendingSequence, finalSequence }: StoredRow): boolean {
    const first = pendingSequence ?? finalSequence;
    return typeof first !== 'number' || first <= this.upTo;
  }

  *missing({ hasHead }: { hasHead: boolean }): Generator<Disagreement> {
    const { upTo } = this;
    if (!hasHead && upTo > 0)
      yield this.#fault({
        place: 'head sequence',
        found: 'none',
        expected: `${upTo}, the largest sequence number of the account`,
      });
    const { floorSequence, removedChanges } = this.#archive;
    let archived = 0;
    for (const gap of this.numbers.gaps(upTo)) {
      archived += Math.max(0, Math.min(gap.to, floorSequence) - gap.from + 1);
      const from = Math.max(gap.from, floorSequence + 1);
      if (from > gap.to) continue;
      yield this.#fault({
        place: from === gap.to ? `sequence number ${from}` : `sequence numbers ${from} to ${gap.to}`,
        found: 'no change',
        expected: `a change for each number from ${floorSequence + 1} to ${upTo}, the head sequence`,
      });
    }
    if (archived !== removedChanges)
      yield this.#fault({
        place: 'archive',
        found: `${removedChanges} archived changes`,
        contradicts: `${archived} numbers up to ${floorSequence}, the floor, have no change`,
      });
  }

  #isCovered(sequence: number | null | undefined): sequence is number {
    return (
      typeof sequence === 'number' && sequence >= 1 && sequence <= this.upTo && Number.isInteger(sequence)
    );
  }
}

export const lastNumberOf = ({ pendingSequence, finalSequence }: StoredRow): number =>
  Math.max(pendingSequence ?? 0, finalSequence ?? 0);

/** `head` must have been read after `row`. */
export const beyondHead = (account: string, row: StoredRow, head: number): Disagreement => ({
  check: 'numbers',
  account,
  place: `transaction ${row.reference}`,
  found: `the sequence number ${lastNumberOf(row)}`,
  expected: `no number beyond ${head}, the head sequence of the account`,
});
