import { STORED_FIELDS } from '../stored-rows.ts';
import { showField } from '../verify/check-row.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import type { ChangeConflict } from './copy-target.ts';

/** What the target has, and can't have been copied from the source. */
export interface Contradiction {
  /** Null if it concerns no account. */
  account: string | null;
  /** The transaction, sequence number, key or webhook, for example `transaction pay-1`. */
  place: string;
  /** What each side has, for example `amountMinor 100`. Never a secret. */
  source: string;
  target: string;
}

/** How many contradictions are kept. The others are only counted. */
const MAX_KEPT = 20;

/** The contradictions that were found, at most MAX_KEPT of them. */
export class Contradictions {
  readonly kept: Contradiction[] = [];
  count = 0;

  add(...found: readonly Contradiction[]): void {
    this.count += found.length;
    this.kept.push(...found.slice(0, MAX_KEPT - this.kept.length));
  }

  /** Throws: TargetContradicts if there are any. */
  refuse(): void {
    if (this.count > 0) throw new TargetContradicts(this);
  }
}

/** The target contradicts the source. The copy overwrote nothing that does. */
export class TargetContradicts extends Error {
  override readonly name = 'TargetContradicts';
  readonly contradictions: Contradictions;

  constructor(contradictions: Contradictions) {
    super(`the target contradicts the source in ${contradictions.count} places`);
    this.contradictions = contradictions;
  }
}

/** The fields in which two transactions with the same reference differ. */
export function rowContradictions(account: string, source: StoredRow, target: StoredRow): Contradiction[] {
  return STORED_FIELDS.filter((field) => source[field] !== target[field]).map((field) => ({
    account,
    place: `transaction ${source.reference}`,
    source: `${field} ${showField(source, field)}`,
    target: `${field} ${showField(target, field)}`,
  }));
}

export const headContradiction = (account: string, source: number, target: number): Contradiction => ({
  account,
  place: 'head sequence',
  source: String(source),
  target: String(target),
});

/** A transaction that one side does not have. */
export function missingRow(account: string, row: StoredRow, missingIn: 'source' | 'target'): Contradiction {
  const has = numbersOf(row);
  return {
    account,
    place: `transaction ${row.reference}`,
    source: missingIn === 'source' ? 'no such transaction' : has,
    target: missingIn === 'target' ? 'no such transaction' : has,
  };
}

function numbersOf({ pendingSequence, finalSequence }: StoredRow): string {
  const numbers = [pendingSequence, finalSequence].filter((sequence) => sequence !== null);
  if (numbers.length === 0) return 'a transaction without sequence numbers';
  return `the sequence ${numbers.length === 1 ? 'number' : 'numbers'} ${numbers.join(' and ')}`;
}

export function conflictContradictions(conflict: ChangeConflict): Contradiction[] {
  const { account } = conflict;
  if ('head' in conflict) return [headContradiction(account, conflict.expectedHead, conflict.head)];
  const { row, found } = conflict;
  if (found === undefined) return [missingRow(account, row, 'target')];
  if (found.reference !== row.reference)
    return [
      { account, place: `transaction ${row.reference}`, source: numbersOf(row), target: sameNumbers(found) },
    ];
  const differing = rowContradictions(account, row, found);
  if (differing.length > 0) return differing;
  return [
    {
      account,
      place: `transaction ${row.reference}`,
      source: numbersOf(row),
      target: `${numbersOf(found)}, beyond its head sequence`,
    },
  ];
}

const sameNumbers = (found: StoredRow) => `${numbersOf(found)} at transaction ${found.reference}`;
