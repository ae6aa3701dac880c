import { formatAmount } from './amount.ts';
import { formatTimestamp } from './calendar.ts';
import { PENDING } from './status.ts';
import type { Transaction } from './transaction.ts';

/** A field in which a fact contradicts the one that is recorded, both as they are written outside. */
export interface Difference {
  field: 'merchantReference' | 'status' | 'amount' | 'currencyCode' | 'paidAt' | 'createdAt';
  recorded: string | null;
  given: string | null;
}

export type Comparison =
  | { outcome: 'unchanged' }
  | { outcome: 'changed' }
  | { outcome: 'conflict'; differences: Difference[] };

/**
 * What a fact means for the one already recorded under its account and reference.
 *
 * The same fact changes nothing; a pending transaction may take another status and its time of payment;
 * everything else is final, and a fact that differs contradicts it.
 */
export function compareWithRecorded(recorded: Transaction, given: Transaction): Comparison {
  const differences: Difference[] = [];
  const differ = <Value>(
    field: Difference['field'],
    before: Value,
    after: Value,
    write: (value: Value) => string | null,
  ) => {
    if (before !== after) differences.push({ field, recorded: write(before), given: write(after) });
  };
  const asIs = (value: string | null) => value;
  const asTime = (value: number | null) => (value === null ? null : formatTimestamp(value));

  differ('merchantReference', recorded.merchantReference, given.merchantReference, asIs);
  differ('amount', recorded.amountMinor, given.amountMinor, formatAmount);
  differ('currencyCode', recorded.currencyCode, given.currencyCode, asIs);
  differ('createdAt', recorded.createdAtMs, given.createdAtMs, asTime);
  const mayAdvance = recorded.status === PENDING && given.status !== PENDING;
  if (!mayAdvance) {
    differ('status', recorded.status, given.status, asIs);
    differ('paidAt', recorded.paidAtMs, given.paidAtMs, asTime);
  }

  if (differences.length > 0) return { outcome: 'conflict', differences };
  return { outcome: mayAdvance ? 'changed' : 'unchanged' };
}
