import { identityOf, isUnnumbered } from './check-row.ts';
import type { Disagreement } from './disagreement.ts';
import { NumberSet } from './number-set.ts';
import type { StoredHead, StoredRow } from './verify-reader.ts';

/** How many unnumbered transactions of an account are looked up in the index of unnumbered ones. */
const MAX_UNNUMBERED = 100;

/**
 * The sequence numbers of an account up to the head that it had when its check began. Later ones are left out: they belong to
 * transactions that are recorded or completed meanwhile.
 */
export class AccountNumbers {
  readonly account: string;
  readonly upTo: number;
  /** All numbers. */
  readonly numbers = new NumberSet();
  /** The numbers of changes by which transactions became pending. */
  readonly pendings = new NumberSet();
  /** One number for each transaction: see identityOf. */
  readonly identities = new NumberSet();
  readonly withMerchantReference = new NumberSet();
  /** The first unnumbered transactions. */
  readonly unnumbered: StoredRow[] = [];
  unnumberedCount = 0;
  /** The days of transactions that only an index led to: their sums lack these. */
  readonly unreadDays = new Set<number>();

  constructor(account: string, { head, largest }: StoredHead) {
    this.account = account;
    this.upTo = head ?? largest;
  }

  /** Adds the numbers of a row, and returns those that another row has as well. */
  add(row: StoredRow): Disagreement[] {
    const { pendingSequence, finalSequence, merchantReference } = row;
    const repeated: number[] = [];
    if (this.#isCovered(pendingSequence)) {
      if (!this.numbers.add(pendingSequence)) repeated.push(pendingSequence);
      this.pendings.add(pendingSequence);
    }
    // If both are the same, the row itself is faulty.
    if (this.#isCovered(finalSequence) && finalSequence !== pendingSequence) {
      if (!this.numbers.add(finalSequence)) repeated.push(finalSequence);
    }
    const identity = identityOf(row);
    if (this.#isCovered(identity)) {
      this.identities.add(identity);
      if (merchantReference !== null) this.withMerchantReference.add(identity);
    }
    if (isUnnumbered(row)) {
      this.unnumberedCount++;
      if (this.unnumbered.length < MAX_UNNUMBERED) this.unnumbered.push(row);
    }
    return repeated.map((sequence) => ({
      check: 'numbers',
      account: this.account,
      place: `transaction ${row.reference}`,
      found: `the sequence number ${sequence}, which another transaction has too`,
      expected: 'a number of its own for each change',
    }));
  }

  /** Adds the numbers of a transaction that was not read, which is reported once. */
  addUnread(
    { pendingSequence, finalSequence }: Pick<StoredRow, 'pendingSequence' | 'finalSequence'>,
    day: number,
  ): void {
    for (const sequence of [pendingSequence, finalSequence])
      if (this.#isCovered(sequence)) this.numbers.add(sequence);
    this.unreadDays.add(day);
  }

  /** A missing head, and numbers that no change has. */
  *missing({ hasHead }: { hasHead: boolean }): Generator<Disagreement, undefined> {
    const { account, upTo } = this;
    if (!hasHead && upTo > 0) {
      yield {
        check: 'numbers',
        account,
        place: 'head sequence',
        found: 'none',
        expected: `${upTo}, the largest sequence number of the account`,
      };
    }
    for (const { from, to } of this.numbers.gaps(upTo)) {
      yield {
        check: 'numbers',
        account,
        place: from === to ? `sequence number ${from}` : `sequence numbers ${from} to ${to}`,
        found: 'no change',
        expected: `a change for each number from 1 to ${upTo}, the head sequence`,
      };
    }
    return undefined;
  }

  #isCovered(sequence: number | null | undefined): sequence is number {
    return (
      typeof sequence === 'number' && sequence >= 1 && sequence <= this.upTo && Number.isInteger(sequence)
    );
  }
}

/** The larger number of a row. */
export const lastNumberOf = ({ pendingSequence, finalSequence }: StoredRow): number =>
  Math.max(pendingSequence ?? 0, finalSequence ?? 0);

/** A row with a number that is larger than the head sequence, which was read after the row. */
export const beyondHead = (account: string, row: StoredRow, head: number): Disagreement => ({
  check: 'numbers',
  account,
  place: `transaction ${row.reference}`,
  found: `the sequence number ${lastNumberOf(row)}`,
  expected: `no number beyond ${head}, the head sequence of the account`,
});
