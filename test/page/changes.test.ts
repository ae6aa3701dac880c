import assert from 'node:assert/strict';
import { record, transaction } from '../rig/data/transactions.ts';
import {
  choose,
  eventually,
  fragmentOf,
  type PageWindow,
  pageTest,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const RECORDED = [
  ['2026-06-10T09:00', 'settled', 'pending', 'EUR', 1000],
  ['2026-06-10T09:00', 'left', 'pending', 'EUR', 5],
  ['2026-06-13T21:59', 'before', 'completed', 'EUR', 7],
  ['2026-06-13T22:00', 'first', 'completed', 'EUR', 2000],
  ['2026-06-14T10:00', 'both', 'pending', 'EUR', 300],
  ['2026-06-14T11:00', 'settled', 'completed', 'EUR', 1000],
  ['2026-06-15T08:00', 'failed', 'failed', 'USD', 4000],
  ['2026-06-15T09:00', 'both', 'completed', 'EUR', 300],
] as const;

async function recordAll({ app, account }: PageWindow): Promise<void> {
  const nowMs = app.clock.now();
  for (const [time, name, status, currencyCode, amountMinor] of RECORDED) {
    app.clock.set(Date.parse(`${time}:00.000Z`));
    const createdAtMs = Date.parse('2026-06-09T12:00:00.000Z');
    await record(app.store, [
      transaction(account, name, { status, currencyCode, amountMinor, createdAtMs, merchantReference: name }),
    ]);
  }
  app.clock.set(nowMs);
}

pageTest(
  'each transaction recorded since yesterday is listed once, last change first, with statuses, sums, links and a file; an outage is reported',
  async (window) => {
    const { page, enter, account } = window;
    await recordAll(window);
    await enter('#/transactions?currency=EUR&timeZone=Europe/Berlin');
    await waitForFirstRow(page, `${account}.settled`);
    await page.getByRole('link', { name: 'What changed' }).click();
    const rows = page.getByRole('table', { name: 'Newest first' }).locator('tbody tr');
    const shown = () =>
      rows.evaluateAll((all) =>
        all.map((row) =>
          ['.column-reference', '.column-status', '.column-amount data']
            .map((part) =>
              row
                .querySelector(part)
                ?.textContent?.trim()
                .replace(/^acct-\d+\./, ''),
            )
            .join(' '),
        ),
      );
    const euros = [
      'both new \u2192 Completed 3.00 EUR',
      'settled Pending \u2192 Completed 10.00 EUR',
      'first new \u2192 Completed 20.00 EUR',
    ];
    await eventually(shown, euros);
    await page.locator('.read-note').getByText('3 transactions recorded or changed, read at').waitFor();
    await choose(page, /^Since/, 'Today');
    await eventually(shown, ['both Pending \u2192 Completed 3.00 EUR']);
    assert.equal(fragmentOf(page), '#/changes?currency=EUR&from=2026-06-15');
    await page.getByRole('button', { name: /^Since/ }).click();
    await page.getByRole('textbox', { name: 'Since' }).fill('2026-06-13');
    await eventually(shown, [...euros, 'before new \u2192 Completed 0.07 EUR']);

    await page.evaluate(() => {
      location.hash = '#/changes?timeZone=Europe/Berlin';
    });
    await eventually(shown, [euros[0], 'failed new \u2192 Failed 40.00 USD', ...euros.slice(1)] as string[]);
    const sums = page.getByRole('list', { name: 'New: sums' });
    await eventually(
      () => sums.locator('data').evaluateAll((all) => all.map((one) => (one as HTMLDataElement).value)),
      ['23.00', '40.00'],
    );
    await page.getByRole('heading', { name: 'No longer pending 1' }).waitFor();
    await checkAccessibility(page);
    await rows.first().getByRole('link').click();
    await page.getByRole('region', { name: `${account}.both` }).waitFor();
    await page.goBack();
    const file = await savedFile(page, 'Save as CSV');
    assert.equal(file.name, `${account}_changes_since_2026-06-14.csv`);
    const lines = file.bytes
      .toString()
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    assert.deepEqual(lines[0]?.slice(7), [
      ...['recordedAt', 'paidAtLocal', 'createdAtLocal', 'recordedAtLocal', 'previousStatus'],
    ]);
    assert.deepEqual(
      lines.slice(1).map((cells) => [cells[0], cells[2], cells[3], cells[7], cells[10], cells[11]]),
      [
        ['both', 'completed', '3.00', '2026-06-15T09:00:00.000Z', '2026-06-15T11:00:00.000+02:00', ''],
        ['failed', 'failed', '40.00', '2026-06-15T08:00:00.000Z', '2026-06-15T10:00:00.000+02:00', ''],
        [
          'settled',
          'completed',
          '10.00',
          '2026-06-14T11:00:00.000Z',
          '2026-06-14T13:00:00.000+02:00',
          'pending',
        ],
        ['first', 'completed', '20.00', '2026-06-13T22:00:00.000Z', '2026-06-14T00:00:00.000+02:00', ''],
      ].map(([name, ...cells]) => [`${account}.${name}`, ...cells]),
    );

    const changes = /v1\/changes\?after/;
    await page.route(changes, (route) => route.abort('connectionrefused'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor();
    await page.unroute(changes);
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await shown()).length, 4);
  },
);
