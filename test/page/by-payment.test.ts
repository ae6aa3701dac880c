import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { choose, eventually, fragmentOf, pageTest } from '../rig/page/browser.ts';

pageTest(
  'one choice of days of payment applies to the list and its sums, and a late payment is announced with its sums',
  async ({ page, enter, account, app }) => {
    await enter('#/transactions?from=2026-05-01&to=2026-05-31');
    const references = async () =>
      (await page.locator('table.transactions a.reference').allInnerTexts()).map(
        (text) => text.split('.')[1],
      );
    await eventually(references, ['both', 'paid-later']);
    await choose(page, /^Period by:/, 'date paid');
    await eventually(references, ['both', 'earlier']);
    await eventually(() => fragmentOf(page), '#/transactions?from=2026-05-01&to=2026-05-31&by=payment');
    const totals = page.getByRole('region', { name: 'Totals', exact: true });
    await totals.getByText('Paid 1 May 2026 to 31 May 2026').waitFor();
    await totals.getByText('30.00').first().waitFor();
    const bars = async () =>
      (
        await page.getByRole('option').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
      ).filter((label) => / 2026: /.test(label ?? '') && !label?.endsWith('no transactions'));
    await eventually(bars, ['1 May 2026: 10.00 EUR, 1 transaction', '10 May 2026: 20.00 EUR, 1 transaction']);

    await page.getByText('Live', { exact: true }).waitFor();
    await record(app.store, [
      transaction(account, 'late', {
        createdAtMs: DAY('2026-04-02'),
        paidAtMs: DAY('2026-05-20'),
        amountMinor: 500,
        currencyCode: 'EUR',
      }),
      transaction(account, 'other', { createdAtMs: DAY('2026-05-20'), paidAtMs: DAY('2026-06-02') }),
    ]);
    const show = page.getByRole('button', { name: /^1 recorded since \d\d:\d\d on these days \u2013 show$/ });
    await show.waitFor();
    await page.getByText('Completed 30.00 \u2192 35.00 EUR').waitFor();
    await show.click();
    await eventually(references, ['both', 'earlier', 'late']);
    await totals.getByText('35.00').first().waitFor();
  },
  {
    transactions: (account) => {
      const paid = (name: string, created: string, paidAt: string, amountMinor: number) =>
        transaction(account, name, {
          createdAtMs: DAY(created),
          paidAtMs: DAY(paidAt),
          amountMinor,
          currencyCode: 'EUR',
        });
      return [
        paid('earlier', '2026-04-30', '2026-05-01', 1000),
        paid('both', '2026-05-10', '2026-05-10', 2000),
        paid('paid-later', '2026-05-09', '2026-06-01', 4000),
      ];
    },
  },
);
