import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Change, ChangeQuery, ChangeResult } from '../../src/ledger/changes/change.ts';
import type { AccountTransaction, Transaction } from '../../src/ledger/transaction.ts';

/**
 * What a caller knows about a recording. `present`: the transaction was recorded by this call or by another
 * call with the same key. `refused`: nothing was recorded, and nothing will be. `unknown`: the call failed,
 * and the transaction may have been recorded. The service itself has the other outcomes.
 */
export type Acknowledgement =
  | 'recorded'
  | 'changed'
  | 'unchanged'
  | 'present'
  | 'conflict'
  | 'refused'
  | 'unknown';

export interface Attempt {
  transaction: Transaction;
  beganAt: number;
  endedAt: number;
  acknowledged: Acknowledgement;
}

function promise(kept: boolean, broken: () => string): asserts kept {
  if (!kept) assert.fail(broken());
}

const shown = ({ sequence, previousStatus, transaction }: Change) =>
  `${sequence}: ${transaction.reference} ${previousStatus ?? 'new'} ${transaction.status}`;

const isCause = ({ acknowledged }: Pick<Attempt, 'acknowledged'>, { previousStatus }: Change) =>
  acknowledged === (previousStatus === null ? 'recorded' : 'changed');

const isPerhapsCause = ({ acknowledged }: Attempt) =>
  acknowledged === 'unknown' || acknowledged === 'present';

/** Derives the changes that an account must have from the calls of its recorders and readers. */
export class Oracle {
  readonly account: string;
  readonly #attempts = new Map<string, Attempt[]>();
  readonly #inOrder: Attempt[][] = [];
  readonly #seen: Change[] = [];
  #moment = 0;
  #acknowledgedChanges = 0;
  #head = 0;

  constructor(account: string) {
    this.account = account;
  }

  get seen(): number {
    return this.#seen.length;
  }

  get history(): string[] {
    return [...this.#attempts.values()]
      .flat()
      .sort((left, right) => left.beganAt - right.beganAt)
      .map(
        ({ transaction: { reference, status, amountMinor }, beganAt, endedAt, acknowledged }) =>
          `${beganAt}-${endedAt} ${reference} ${status} ${amountMinor}: ${acknowledged}`,
      );
  }

  noteSent({ account: _, ...transaction }: AccountTransaction, beganAt = ++this.#moment): Attempt {
    const attempt: Attempt = {
      transaction,
      beganAt,
      endedAt: Number.POSITIVE_INFINITY,
      acknowledged: 'unknown',
    };
    const { reference } = transaction;
    const attempts = this.#attempts.get(reference);
    if (attempts === undefined) this.#attempts.set(reference, [attempt]);
    else attempts.push(attempt);
    return attempt;
  }

  noteEnd(attempt: Attempt, acknowledged: Acknowledgement): void {
    attempt.acknowledged = acknowledged;
    if (acknowledged === 'unknown') return;
    attempt.endedAt = ++this.#moment;
    if (acknowledged === 'recorded' || acknowledged === 'changed') this.#acknowledgedChanges++;
  }

  /** One call recorded these attempts together, in this order. */
  noteOrder(attempts: Attempt[]): void {
    if (attempts.length > 1) this.#inOrder.push(attempts);
  }

  /** The check fails unless the read shows everything that was acknowledged or read before. */
  beginRead({ after, limit }: Omit<ChangeQuery, 'account'>): (result: ChangeResult) => void {
    const acknowledged = this.#acknowledgedChanges;
    return ({ changes, headSequence }) => {
      const numbers = changes.map(({ sequence }) => sequence);
      const page = () => `after ${after}, a page of head ${headSequence} has the numbers [${numbers}]`;
      for (const [index, number] of numbers.entries()) {
        const expected = after + 1 + index;
        promise(number >= expected, () => `a number is given twice: ${page()}`);
        promise(
          number === expected,
          () => `number ${expected} is missing, although ${number} is visible: ${page()}`,
        );
      }
      const expected = Math.max(0, Math.min(limit, headSequence - after));
      promise(numbers.length <= expected, () => `the head is below a number: ${page()}`);
      promise(
        numbers.length === expected,
        () => `number ${after + 1 + numbers.length} is missing: ${page()}`,
      );
      promise(headSequence >= this.#head, () => `the head fell from ${this.#head} to ${headSequence}`);
      promise(
        headSequence >= acknowledged,
        () => `${acknowledged} changes are acknowledged, but the head is ${headSequence}`,
      );
      this.#head = headSequence;
      for (const change of changes) this.#see(change);
    };
  }

  #see(change: Change): void {
    const before = this.#seen[change.sequence - 1];
    if (before === undefined) this.#seen.push(change);
    else
      promise(
        isDeepStrictEqual(change, before),
        () => `a change became another: ${shown(before)}, later ${shown(change)}`,
      );
  }

  checkEnd(table: readonly Transaction[]): void {
    promise(this.seen === this.#head, () => `of ${this.#head} changes, ${this.seen} were read`);
    const last = this.#checkSteps();
    const listed = new Map(table.map((transaction) => [transaction.reference, transaction]));
    for (const reference of new Set([...last.keys(), ...listed.keys()])) {
      const [replayed, row] = [last.get(reference), listed.get(reference)];
      promise(
        isDeepStrictEqual(replayed, row),
        () =>
          `the changes do not make the table: ${reference} is ${replayed?.status} after them, and ${row?.status} in it`,
      );
    }
    this.#checkCauses();
    for (const attempts of this.#attempts.values())
      for (const attempt of attempts) this.#checkAcknowledged(attempt);
    this.#checkOrder();
  }

  #checkSteps(): Map<string, Transaction> {
    const last = new Map<string, Transaction>();
    for (const change of this.#seen) {
      const before = last.get(change.transaction.reference)?.status ?? null;
      const isStep = change.previousStatus === before && (before === null || before === 'pending');
      const changes = () => this.#seen.map(shown).join(', ');
      promise(
        isStep && change.transaction.status !== before,
        () => `a transaction does not become pending before it is final: ${shown(change)}, of ${changes()}`,
      );
      last.set(change.transaction.reference, change.transaction);
    }
    return last;
  }

  #causesOf(change: Change): Attempt[] {
    return (this.#attempts.get(change.transaction.reference) ?? []).filter(
      (attempt) =>
        (isCause(attempt, change) || isPerhapsCause(attempt)) &&
        isDeepStrictEqual(attempt.transaction, change.transaction),
    );
  }

  /** A call caused each change, and numbers follow the order of calls that did not overlap. */
  #checkCauses(): void {
    let latest = { beganAt: 0, change: this.#seen[0] as Change };
    for (const change of this.#seen) {
      const causes = this.#causesOf(change);
      promise(causes.length > 0, () => `nobody recorded a change: ${shown(change)}`);
      const known = causes.filter((attempt) => !isPerhapsCause(attempt));
      promise(known.length <= 1, () => `a change is acknowledged to two callers as theirs: ${shown(change)}`);
      const endedAt = Math.min(...known.map((attempt) => attempt.endedAt));
      promise(
        endedAt > latest.beganAt,
        () =>
          `a change was acknowledged before another began, and has the larger number: ${shown(change)}, and ${shown(latest.change)}`,
      );
      const beganAt = Math.min(...causes.map((attempt) => attempt.beganAt));
      if (beganAt > latest.beganAt) latest = { beganAt, change };
    }
  }

  #checkAcknowledged({ transaction, acknowledged }: Attempt): void {
    if (acknowledged === 'refused' || acknowledged === 'unknown') return;
    const ofReference = this.#seen.filter((change) => change.transaction.reference === transaction.reference);
    const what = () => `${transaction.reference} as ${transaction.status}: ${acknowledged}`;
    if (acknowledged === 'conflict') {
      promise(ofReference.length > 0, () => `nothing contradicts what was refused as a conflict: ${what()}`);
      return;
    }
    const changes = ofReference.filter((change) => isDeepStrictEqual(change.transaction, transaction));
    const has =
      acknowledged === 'unchanged' || acknowledged === 'present'
        ? changes.length > 0
        : changes.some((change) => isCause({ acknowledged }, change));
    promise(has, () => `an acknowledged recording has no change: ${what()}`);
  }

  #checkOrder(): void {
    for (const attempts of this.#inOrder) {
      const changes = attempts.map((attempt) =>
        this.#seen.find(
          (change) =>
            change.transaction.reference === attempt.transaction.reference && isCause(attempt, change),
        ),
      );
      const numbers = changes.map((change) => change?.sequence ?? 0);
      promise(
        numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)),
        () => `the numbers of one call are not in the order in which it gave them: ${numbers}`,
      );
    }
  }
}
