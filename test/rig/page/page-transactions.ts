import { createHash } from 'node:crypto';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { DAY, transaction } from '../data/transactions.ts';
import { type PageWindow, waitForFirstRow } from './browser.ts';

const HOUR_MS = 3_600_000;
const NEWEST_MS = Date.UTC(2026, 5, 15, 8, 30, 5, 123);

export function pageTransactions(account: string): AccountTransaction[] {
  return Array.from({ length: 25 }, (_, index) => {
    const createdAtMs = NEWEST_MS - index * 6 * HOUR_MS;
    const isPending = index < 2 || index === 14;
    return transaction(account, name(index), {
      createdAtMs,
      status: isPending ? 'pending' : 'completed',
      paidAtMs: isPending ? null : createdAtMs + 45_000,
      merchantReference: index % 5 === 0 ? null : `order-${100 + index}`,
      amountMinor: index === 3 ? 12_345_678_901_234 : 1250 + index * 99,
      currencyCode: index % 3 === 0 ? 'EUR' : 'USD',
    });
  });
}

export function name(index: number): string {
  return `t${String(25 - index).padStart(2, '0')}`;
}

export async function openList({ page, enter, account }: PageWindow, fragment = '', first = 0) {
  await enter(fragment);
  await waitForFirstRow(page, `${account}.${name(first)}`);
}

export const MANY = 3500;

/** The merchantReferences hardly compress, so that an exported file arrives in several parts. */
export const manyTransactions = (account: string): AccountTransaction[] =>
  Array.from({ length: MANY }, (_, index) =>
    transaction(account, `m${String(MANY - index).padStart(5, '0')}`, {
      createdAtMs: DAY('2026-06-15') - index * 60_000,
      merchantReference: createHash('sha512').update(`${index}`).digest('base64'),
    }),
  );
