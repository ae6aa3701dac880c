import { isCurrency } from './currencies.ts';
import type { Ledger } from './ledger.ts';
import type { Statuses } from './service.ts';
import { parseTime } from './times.ts';
import { parseAmount, showTransaction, type Transaction } from './transaction.ts';

/** A faulty field of a body, by its JSON pointer. */
export type FieldFault = { pointer: string; code: string; detail: string };

export type Difference = { field: string; recorded: string | null; given: string | null };

export type Outcome =
  | { outcome: 'recorded' | 'changed' | 'unchanged'; transaction: Transaction }
  | { outcome: 'conflict'; differences: Difference[] };

const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const FIELDS = ['merchantReference', 'status', 'amount', 'currencyCode', 'paidAt', 'createdAt'];

/** Whether a text can be an account or a reference. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && NAME.test(text);
}

/** Checks all fields of a body, and returns the transaction or every fault. */
export function readTransaction(
  body: Record<string, unknown>,
  reference: string,
  statuses: Statuses,
): Transaction | FieldFault[] {
  const faults: FieldFault[] = [];
  const check = (field: string, isRight: boolean, detail: string, code = 'invalid_value') => {
    if (!isRight) faults.push({ pointer: `/${field}`, code, detail });
  };
  for (const field of Object.keys(body))
    check(field, FIELDS.includes(field), 'is not a field of a transaction', 'unknown_field');
  const { merchantReference = null, status, amount, currencyCode, paidAt = null, createdAt } = body;
  check(
    'merchantReference',
    isMerchantReference(merchantReference),
    'has 0 or more than 255 characters, or control characters',
  );
  const payment = typeof status === 'string' ? statuses.get(status) : undefined;
  check('status', payment !== undefined, 'is not a status');
  const amountMinor = typeof amount === 'string' ? parseAmount(amount) : undefined;
  check(
    'amount',
    amountMinor !== undefined,
    'is not a decimal number with at most two decimals, as a string',
  );
  check('currencyCode', typeof currencyCode === 'string' && isCurrency(currencyCode), 'is not a currency');
  const createdAtMs = typeof createdAt === 'string' ? parseTime(createdAt) : undefined;
  check('createdAt', createdAtMs !== undefined, 'is not a UTC time with at most milliseconds');
  const paidAtMs = typeof paidAt === 'string' ? parseTime(paidAt) : paidAt;
  check(
    'paidAt',
    paidAt === null || typeof paidAtMs === 'number',
    'is not a UTC time with at most milliseconds',
  );
  check('paidAt', payment !== 'paid' || paidAt !== null, `is required with the status ${status}`);
  check('paidAt', payment !== 'unpaid' || paidAt === null, `must be null with the status ${status}`);
  if (faults.length > 0) return faults;
  return {
    reference,
    merchantReference,
    status,
    amountMinor,
    currencyCode,
    paidAtMs,
    createdAtMs,
  } as Transaction;
}

function isMerchantReference(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^[^\p{Cc}\uFFFD]{1,255}$/u.test(value));
}

/** Records a transaction. Recording it again changes nothing; a pending one takes another status once. */
export function record(ledger: Ledger, given: Transaction, nowMs: number): Outcome {
  const recorded = ledger.references.get(given.reference);
  if (recorded === undefined) {
    ledger.save(given, nowMs);
    return { outcome: 'recorded', transaction: given };
  }
  const differences = compare(recorded, given);
  if (differences.length === 0) return { outcome: 'unchanged', transaction: recorded };
  const isTransition = recorded.status === 'pending' && given.status !== 'pending';
  const isChangeOfStatus = differences.every(({ field }) => field === 'status' || field === 'paidAt');
  if (!isTransition || !isChangeOfStatus) return { outcome: 'conflict', differences };
  ledger.save(given, nowMs);
  return { outcome: 'changed', transaction: given };
}

export function compare(recorded: Transaction, given: Transaction): Difference[] {
  const shown: Record<string, string | null> = showTransaction(given);
  return Object.entries(showTransaction(recorded))
    .map(([field, value]) => ({ field, recorded: value, given: shown[field] ?? null }))
    .filter((difference) => difference.recorded !== difference.given);
}
