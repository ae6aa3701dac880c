import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { TotalsParameters } from '../rig/data/feed-totals.ts';
import { randomOptionalFields } from '../rig/data/optional-fields.ts';
import { transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';

/** At the edges of months and years, before 1970, and the first and the last of all. */
export const DAYS = [
  ['0001-01-01', '1969-11-30', '1969-12-31', '1970-01-01', '2025-12-31', '2026-01-01', '2026-02-28'],
  ['2026-03-01', '2026-03-15', '2026-03-31', '2026-04-01', '9999-12-31'],
].flat();
const TIMES = ['00:00:00.000', '12:00:00.000', '23:59:59.999'];
const CURRENCIES = ['EUR', 'EUR', 'JPY', 'USD'];
const FINAL_STATUSES = ['completed', 'refunded', 'failed'];
const STATUSES = ['pending', ...FINAL_STATUSES];
const LARGEST_MINOR = 999_999_999_999_999;

/** A new transaction of an account, often pending. */
export function newTransaction(random: Random, account: string, name: string): AccountTransaction {
  const status = random.chance(0.5) ? 'pending' : random.pick(FINAL_STATUSES);
  const createdAtMs = Date.parse(`${random.pick(DAYS)}T${random.pick(TIMES)}Z`);
  return transaction(account, name, {
    status,
    createdAtMs,
    paidAtMs: ['completed', 'refunded'].includes(status) ? createdAtMs : null,
    currencyCode: random.pick(CURRENCIES),
    amountMinor: random.chance(0.2)
      ? random.pick([LARGEST_MINOR, -LARGEST_MINOR, 0])
      : random.integer(-5000, 90_000),
    ...randomOptionalFields(random, 'payment-1'),
  });
}

export function finalVersion(random: Random, row: AccountTransaction): AccountTransaction {
  const status = random.pick(FINAL_STATUSES);
  return { ...row, status, paidAtMs: status === 'failed' ? null : row.createdAtMs };
}

export function randomParameters(random: Random): TotalsParameters {
  const days = [random.pick(DAYS), random.pick(DAYS)].sort();
  return {
    ...(random.chance(0.3) && { status: random.pick(STATUSES) }),
    ...(random.chance(0.3) && { currency: random.pick([...CURRENCIES, 'XTS']) }),
    ...(random.chance(0.5) && { from: days[0] as string }),
    ...(random.chance(0.5) && { to: days[1] as string }),
    ...(random.chance(0.4) && { by: 'day' }),
  };
}
