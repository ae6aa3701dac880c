import type { Page } from 'playwright-core';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { totalsOf as modelTotals, type TotalRow } from '../../model/totals.ts';
import { EVERYTHING } from '../../model/transactions.ts';

export const totalsOf = (
  transactions: readonly AccountTransaction[],
  { isByDay = false, ...days }: { isByDay?: boolean; from?: string; to?: string } = {},
): TotalRow[] => modelTotals(transactions, { ...EVERYTHING, ...days }, isByDay ? 'day' : null);

export async function scriptTotals(page: Page, rows: readonly TotalRow[], asOf = 12_345): Promise<void> {
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

export const totalsRows = (page: Page): Promise<string[]> =>
  page.locator('.totals td[data-name]:has(data + .totals-count)').evaluateAll((cells) =>
    cells.map((cell) => {
      const count = cell.querySelector('.totals-count')?.firstChild?.textContent;
      const amount = cell.querySelector('.amount')?.textContent;
      return `${cell.getAttribute('data-name')} ${count} ${amount}`;
    }),
  );
