import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { scriptedTransaction } from '../rig/data/scripted-feed.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import {
  detailTest,
  enterInto,
  eventually,
  fragmentOf,
  pageTests,
  textsOf,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { savedFile } from '../rig/page/saved-file.ts';
import { checkAccessibility } from './check-accessibility.ts';

const FIELD = 'Find transactions by a part of a reference or a detail, an amount, a day, or a link';

const withTransactions = {
  transactions: (account: string) => [
    ...pageTransactions(account),
    ...Array.from({ length: 12 }, (_, index) =>
      transaction(account, `shared-${index}`, { merchantReference: `${account}.both` }),
    ),
    transaction(account, 'both'),
  ],
};
const { test, it } = pageTests(withTransactions);

async function find(page: Page, text: string): Promise<void> {
  await enterInto(page.getByRole('searchbox', { name: FIELD }), text);
}

const transactionShown = (page: Page, reference: string) =>
  page
    .locator('main:has(h1:focus)')
    .getByRole('region', { name: `Transaction ${reference}` })
    .waitFor();

it('a search for two words that finds nothing offers the results for one of them', async ({
  page,
  enter,
  account,
}) => {
  await enter('#/search?text=order-104%20nowhere');
  await page.getByText('Nothing was found').waitFor();
  const others = page.getByRole('link', { name: /^with / });
  await others.waitFor();
  assert.match(await others.innerText(), /^with order-104 in .*: 1 transaction$/);
  await others.click();
  await transactionShown(page, `${account}.${name(4)}`);
});

test('a reference, a merchantReference and a pasted link each find one transaction, and Back leaves the search', async (window) => {
  const { page, url, account } = window;
  await openList(window);
  await find(page, ` ${account}.${name(24)} `);
  await transactionShown(page, `${account}.${name(24)}`);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);

  await find(page, 'order-104\t');
  await transactionShown(page, `${account}.${name(4)}`);
  await find(page, `${url}/v1/transactions/${account}.${name(3)}`);
  await transactionShown(page, `${account}.${name(3)}`);
  await find(page, `${url}/#/transactions?currency=USD&account=${account}`);
  await waitForFirstRow(page, `${account}.${name(1)}`);
  await eventually(() => fragmentOf(page), '#/transactions?currency=USD');
});

it('the key / moves the focus to the search, where the character can be typed', async (window) => {
  const { page } = window;
  await openList(window);
  const field = page.getByRole('searchbox');
  const isThere = () => eventually(() => field.evaluate((one) => one === document.activeElement), true);
  await page.keyboard.press('/');
  await isThere();
  await page.keyboard.type('a/b');
  await eventually(() => field.inputValue(), 'a/b');
});

it('several matches are shown as a list, with a link to those that do not fit', async ({
  page,
  enter,
  account,
}) => {
  await enter();
  await find(page, `${account}.both`);
  const found = page.getByRole('table', { name: 'Transactions that were found' });
  await found.waitFor();
  await eventually(() => found.getByRole('row').count(), 1 + 1 + 10);
  await found.locator('a.reference').getByText(`${account}.both`, { exact: true }).waitFor();
  assert.equal(
    await page.getByRole('list', { name: 'Sum of these transactions' }).count(),
    0,
    'a sum of a part',
  );
  const printed = await page.locator('.print-head').textContent();
  assert.match(printed ?? '', new RegExp(`^Account ${account} \u00b7 Search: ${account}.both \u00b7 `));
  await page.getByRole('link', { name: `Filter the list by your reference ${account}.both` }).click();
  await page.getByText('Page 1', { exact: true }).waitFor();
  await eventually(() => fragmentOf(page), `#/transactions?merchantReference=${account}.both`);
});

it('if nothing is found, the page says which account was searched and for what, even for foreign links and long texts', async (window) => {
  const { page, enter, account } = window;
  await enter();
  const alert = page.locator('.panel:not(.panel-alert)');
  for (const text of [
    'reference?#%2F&account=x',
    'https://elsewhere.example/#/transactions/a',
    'x'.repeat(300),
    '..',
  ]) {
    await find(page, text);
    await alert.getByText(text).waitFor();
    await eventually(() => alert.getByRole('heading', { name: 'Nothing was found' }).count(), 1);
    assert.match((await alert.innerText()).replaceAll(/\s+/g, ' '), new RegExp(`account ${account} has no`));
  }
  await checkAccessibility(page);
  await alert.getByRole('link', { name: 'All transactions' }).click();
  await waitForFirstRow(page, `${account}.${name(0)}`);
});

const waitForFound = (page: Page, references: readonly string[], message?: string) =>
  eventually(
    () =>
      page
        .getByRole('table', { name: 'Transactions that were found' })
        .locator('a.reference')
        .allInnerTexts(),
    references,
    message,
  );

test('a part of a reference, an amount and a day of payment find the transactions that have them, and the text stays for corrections', async (window) => {
  const { page, account } = window;
  await openList(window);
  const heading = page.locator('.heading-filter');
  for (const [text, said, ...found] of [
    ['#Der-104', 'with Der-104 in a reference or a detail', 4],
    ['order 104', 'with 104 in a reference or a detail', 4],
    ['ORDER-12', 'with ORDER-12 in a reference or a detail', 21, 22, 23, 24],
    ['order 12', 'with the reference order 12, yours or ours'],
    ['EUR 18,44', 'of 18.44 EUR', 6],
    ['USD 18.44', 'of 18.44 USD'],
    ['15.6.2026', 'paid on 15 Jun 2026 (UTC)'],
    ['2026-06-14 order', 'paid on 14 Jun 2026 (UTC), with order in a reference or a detail', 2, 3, 4],
    ['order last Sunday', 'paid on 14 Jun 2026 (UTC), with order in a reference or a detail', 2, 3, 4],
  ] as [string, string, ...number[]][]) {
    await find(page, text);
    await eventually(() => heading.innerText(), said);
    if (found.length === 0) {
      await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    } else {
      const wanted = found.map((index) => `${account}.${name(index)}`);
      await waitForFound(page, wanted, text);
      const ofDay = `Show what was created ${said.slice(5, 19)} (UTC)`;
      await (said.startsWith('paid on')
        ? page.getByRole('link', { name: ofDay })
        : page.getByText('All days and all statuses were searched.')
      ).waitFor();
    }
    await eventually(() => page.getByRole('searchbox').inputValue(), text);
  }
  await find(page, 'pending order');
  await waitForFound(page, [`${account}.${name(1)}`, `${account}.${name(14)}`]);
  await eventually(() => heading.innerText(), 'pending, with order in a reference or a detail');
  await eventually(() => page.getByText('all statuses').count(), 0);
  await checkAccessibility(page);
  await page.goBack();
  await page.getByRole('link', { name: `${account}.${name(2)}`, exact: true }).click();
  await transactionShown(page, `${account}.${name(2)}`);
  await eventually(() => page.getByRole('searchbox').inputValue(), '');
  await page.getByRole('link', { name: 'Back to the search' }).click();
  await eventually(
    () => heading.innerText(),
    'paid on 14 Jun 2026 (UTC), with order in a reference or a detail',
  );
});

const pageOfSearch = (found: readonly object[], nextCursor: string | null) => ({
  json: { data: found, searchedBackTo: '2026-03-04T05:06:07.000Z', nextCursor, hasMore: nextCursor !== null },
});
const foundOne = (reference: string) =>
  scriptedTransaction({
    ...{ reference, merchantReference: 'order 77', amount: '1.00' },
    ...{ paidAt: '2026-04-04T00:00:00.000Z', createdAt: '2026-04-04T00:00:00.000Z' },
  });

it('a search continues over several requests, says how far back it is, can be stopped and resumed, and loses nothing in a failure', async (window) => {
  const { page, account } = window;
  const held = Promise.withResolvers<void>();
  const sent: string[] = [];
  await page.route('**/v1/search?*', async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    sent.push(cursor ?? 'first');
    if (cursor === null) return route.fulfill(pageOfSearch([foundOne(`${account}.r-1`)], 'second'));
    if (cursor === 'second' && sent.length === 2) {
      await held.promise;
      return route.fulfill(pageOfSearch([], null)).catch(() => {});
    }
    if (cursor === 'second' && sent.length <= 4) return route.fulfill({ status: 503, json: {} });
    return route.fulfill(pageOfSearch([foundOne(`${account}.r-2`)], null));
  });
  await openList(window);
  await find(page, 'der #77');
  await page.getByText('1 transaction found. Searched back to 4 Mar 2026. Searching\u2026').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('1 transaction found. Searched back to 4 Mar 2026. Stopped.').waitFor();
  held.resolve();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('2 transactions found. All days and all statuses were searched.').waitFor();
  await waitForFound(page, [`${account}.r-1`, `${account}.r-2`]);
});

test('a search pauses after many matches; one click searches the rest, and only then are the sums and the file available', async (window) => {
  const { page, account } = window;
  const some = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => foundOne(`${account}.f-${first + index}`));
  await page.route('**/v1/search?*', (route) => {
    const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    return route.fulfill(
      cursor < 1000
        ? pageOfSearch(some(cursor, 100), String(cursor + 100))
        : pageOfSearch(some(cursor, 5), null),
    );
  });
  await openList(window, '#/transactions?timeZone=Europe/Berlin');
  await find(page, 'der #77');
  await page
    .getByText(/^100 transactions found\. Searched back to .* There may be more\. Continue/)
    .waitFor();
  assert.equal(await page.locator('.order-foot').count(), 0, 'a sum of a part');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('1,005 transactions found. All days and all statuses were searched.').waitFor();
  await eventually(() => page.locator('.transactions tbody tr').count(), 1000);
  await page.getByText('The table has the first 1,000; the sums and the file have all.').waitFor();
  await page.locator('.order-net').getByText('1,005.00').waitFor();
  const { bytes } = await savedFile(page, 'Save as CSV');
  const lines = bytes.toString().trimEnd().split('\r\n');
  assert.equal(lines.length, 1006);
  assert.match(lines[0] as string, /,paidAt,createdAt,paidAtLocal,createdAtLocal$/);
  assert.match(lines[1] as string, /,2026-04-04T02:00:00\.000\+02:00,2026-04-04T02:00:00\.000\+02:00$/);
});

test('an API key is not searched for, and gets into no address and no request', async (window) => {
  const { page, account, key } = window;
  await openList(window);
  const before = page.url();
  await find(page, key);
  const field = page.getByRole('searchbox');
  await page.waitForFunction(() => !document.querySelector<HTMLInputElement>('#find-text')?.validity.valid);
  assert.match(
    await field.evaluate((one) => (one as HTMLInputElement).validationMessage),
    /^This is a key or a link to sign in, not a reference\. Nothing was sent\./,
  );
  assert.equal(page.url(), before);

  await find(page, 'order-104');
  await transactionShown(page, `${account}.${name(4)}`);
});

detailTest(
  'a search for an order number shows it before longer numbers that contain it, and leads to the order with its net',
  async ({ page, enter }) => {
    await enter();
    await find(page, '10482');
    await page.getByText('3 transactions found.').waitFor();
    const rows = page.locator('table.transactions tbody tr');
    await eventually(
      async () => (await rows.locator('a.reference').allInnerTexts()).map((text) => text.split('.')[1]),
      ['back', 'paid', 'pay_010482'],
    );
    await rows.getByRole('link', { name: 'order #10482' }).first().click();
    await page.getByText('2 transactions found:').waitFor();
    const sums = page.getByRole('list', { name: 'Sum of these transactions' }).getByRole('listitem');
    await eventually(() => textsOf(sums), ['Net 10.00 EUR', 'Completed 2 10.00 EUR']);
  },
  {
    transactions: (account) => {
      const ofOrder = { merchantReference: 'order #10482', currencyCode: 'EUR' };
      return [
        transaction(account, 'paid', { ...ofOrder, createdAtMs: DAY('2026-06-01'), amountMinor: 4990 }),
        transaction(account, 'back', { ...ofOrder, createdAtMs: DAY('2026-06-02'), amountMinor: -3990 }),
        transaction(account, 'pay_010482', { createdAtMs: DAY('2026-06-03') }),
      ];
    },
  },
);

detailTest(
  'a word for refunds finds negative amounts, and a number beside a name is also offered as an approximate amount',
  async ({ page, enter, account }) => {
    await enter();
    const heading = page.locator('.heading-filter');
    await find(page, 'refunds lovelace');
    await waitForFound(page, [`${account}.back`]);
    await eventually(() => heading.innerText(), '< 0, with lovelace in a reference or a detail');
    await find(page, 'lovelace 980');
    await waitForFound(page, [`${account}.room-980`]);
    await page.getByRole('link', { name: /^of about 980\.00, with lovelace in .*: 1 transaction$/ }).click();
    await waitForFound(page, [`${account}.paid`]);
  },
  {
    transactions: (account) => {
      const details = '{"customer":"Ada Lovelace"}';
      return [
        transaction(account, 'paid', { details, amountMinor: 97_990, createdAtMs: DAY('2026-06-01') }),
        transaction(account, 'back', { details, amountMinor: -3990, createdAtMs: DAY('2026-06-02') }),
        transaction(account, 'room-980', { details, amountMinor: 500, createdAtMs: DAY('2026-06-03') }),
      ];
    },
  },
);

detailTest(
  'in French, an approximate amount and a day are described in correct words',
  async ({ page, enter }) => {
    await enter('#/search?text=environ%2080%20hier');
    await page
      .getByText(/n\u2019a aucune transaction d\u2019environ\s80,00, paiement le [\d/]+ \(UTC\)/)
      .waitFor();
  },
  { context: { locale: 'fr-FR' } },
);
