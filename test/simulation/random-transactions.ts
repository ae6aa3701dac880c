import type { Transaction } from '../../src/ledger/transaction.ts';
import type { KnownTransaction } from '../rig/data/known-transactions.ts';
import { randomOptionalFields } from '../rig/data/optional-fields.ts';
import { SAMPLE } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';

/** Few days and few times of each, so that most transactions share their createdAt with others. */
export const CREATED_DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-31', '2026-04-01'];
const TIMES = ['00:00:00.000', '12:00:00.000', '12:00:00.001', '23:59:59.999'];

export function randomTransaction(random: Random, reference: string): Transaction {
  const createdAtMs = Date.parse(`${random.pick(CREATED_DAYS)}T${random.pick(TIMES)}Z`);
  const isPending = random.chance(0.5);
  const { account: _, ...sample } = SAMPLE;
  return {
    ...sample,
    reference,
    merchantReference: random.chance(0.3) ? null : randomMerchantReference(random),
    status: isPending ? 'pending' : 'completed',
    amountMinor: random.integer(-500, 100_000),
    currencyCode: random.pick(['EUR', 'EUR', 'USD']),
    paidAtMs: isPending ? null : paidAt(createdAtMs),
    createdAtMs,
    ...randomOptionalFields(random, 'payment-1'),
  };
}

/** Too long for a cursor to carry. */
const LONG = 'order '.repeat(40);

export function isCarriedByCursor(merchantReference: string | null): boolean {
  return merchantReference !== LONG;
}

/** One of a few, so that several transactions share it. */
export function randomMerchantReference(random: Random): string {
  return random.pick(['order-1', 'order-1', 'größer "x" 😀&=', LONG]);
}

const paidAt = (createdAtMs: number) => createdAtMs + 60_000;

/** A known transaction again, pending or completed. */
export function laterVersion(random: Random, { fields }: KnownTransaction): Transaction {
  const isPending = random.chance(0.3);
  return {
    ...fields,
    status: isPending ? 'pending' : 'completed',
    paidAtMs: isPending ? null : paidAt(fields.createdAtMs),
  };
}
