import type { Page } from 'playwright-core';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';

export interface TotalsRow {
  day?: string;
  currencyCode: string;
  status: string;
  count: number;
  amount: string;
}

/** What the totals of transactions must be, summed one by one. */
export function totalsOf(
  transactions: readonly AccountTransaction[],
  { isByDay = false, from = '', to = '9' }: { isByDay?: boolean; from?: string; to?: string } = {},
): TotalsRow[] {
  const sums = new Map<string, { row: Omit<TotalsRow, 'amount'>; minor: bigint }>();
  for (const { createdAtMs, currencyCode, status, amountMinor } of transactions) {
    const day = new Date(createdAtMs).toISOString().slice(0, 10);
    if (day < from || day > to) continue;
    const key = `${isByDay ? day : ''} ${currencyCode} ${status}`;
    const sum = sums.get(key) ?? {
      row: { ...(isByDay && { day }), currencyCode, status, count: 0 },
      minor: 0n,
    };
    sum.row.count++;
    sum.minor += BigInt(amountMinor);
    sums.set(key, sum);
  }
  return [...sums.keys()].sort().map((key) => {
    const { row, minor } = sums.get(key) as { row: Omit<TotalsRow, 'amount'>; minor: bigint };
    return { ...row, amount: amountText(minor) };
  });
}

function amountText(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Answers requests for totals with scripted rows. Those of a chart are filtered by currency and status. */
export async function scriptTotals(page: Page, rows: readonly TotalsRow[], asOf = 12_345): Promise<void> {
  await page.route('**/v1/totals*', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const isByDay = query.get('by') === 'day';
    const data = rows.filter(
      (row) =>
        (row.day !== undefined) === isByDay &&
        row.currencyCode === (query.get('currency') ?? row.currencyCode) &&
        row.status === (query.get('status') ?? row.status),
    );
    await route.fulfill({ json: { data, asOf, asOfId: 'chg_scripted' } });
  });
}

/** The totals of each currency and status, in the order of the screen: status, count and amount. */
export const totalsRows = (page: Page): Promise<string[]> =>
  page.locator('.totals td[data-name]:has(data + .totals-count)').evaluateAll((cells) =>
    cells.map((cell) => {
      const count = cell.querySelector('.totals-count')?.firstChild?.textContent;
      const amount = cell.querySelector('.amount')?.textContent;
      return `${cell.getAttribute('data-name')} ${count} ${amount}`;
    }),
  );
