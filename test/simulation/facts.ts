import type { AccountTransaction } from '../../src/core/transaction.ts';
import { decimal, type KnownRow } from '../rig/known-transactions.ts';
import type { Random } from '../rig/random.ts';

/** Few days and few times of each, so that most rows have others of their time. */
export const CREATED_DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-31', '2026-04-01'];
const TIMES = ['00:00:00.000', '12:00:00.000', '12:00:00.001', '23:59:59.999'];

/** What is recorded of a transaction. */
export type Fact = Omit<AccountTransaction, 'account'>;

export function newFact(random: Random, reference: string): Fact {
  const createdAtMs = Date.parse(`${random.pick(CREATED_DAYS)}T${random.pick(TIMES)}Z`);
  const isPending = random.chance(0.5);
  return {
    reference,
    merchantReference: random.chance(0.3) ? null : merchantReference(random),
    status: isPending ? 'pending' : 'completed',
    amountMinor: random.integer(-500, 100_000),
    currencyCode: random.pick(['EUR', 'EUR', 'USD']),
    paidAtMs: isPending ? null : paidAt(createdAtMs),
    createdAtMs,
  };
}

/** More than a cursor carries. */
const LONG = 'order '.repeat(40);

export function isCarried(reference: string | null): boolean {
  return reference !== LONG;
}

/** Few, so that several transactions have the same. */
export function merchantReference(random: Random): string {
  return random.pick(['order-1', 'order-1', 'größer "x" 😀&=', LONG]);
}

const paidAt = (createdAtMs: number) => createdAtMs + 60_000;

/** The fact of a row again, as it was or completed. */
export function later(random: Random, { fields }: KnownRow): Fact {
  const isPending = random.chance(0.3);
  return {
    ...fields,
    status: isPending ? 'pending' : 'completed',
    paidAtMs: isPending ? null : paidAt(fields.createdAtMs),
  };
}

export function written({ reference: _, amountMinor, paidAtMs, createdAtMs, ...fact }: Fact) {
  return {
    merchantReference: fact.merchantReference,
    status: fact.status,
    amount: decimal(amountMinor),
    currencyCode: fact.currencyCode,
    paidAt: paidAtMs === null ? null : new Date(paidAtMs).toISOString(),
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
