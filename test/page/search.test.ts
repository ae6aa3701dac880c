import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { detailTest, enterInto, eventually, fragmentOf, pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';
import { transaction } from '../rig/transactions.ts';

/** Twelve more transactions share a merchantReference, which is also the reference of another one. */
const withTransactions = {
  transactions: (account: string) => [
    ...pageTransactions(account),
    ...Array.from({ length: 12 }, (_, index) =>
      transaction(account, `shared-${index}`, { merchantReference: `${account}.both` }),
    ),
    transaction(account, 'both'),
  ],
};

async function find(page: Page, text: string): Promise<void> {
  await enterInto(page.getByRole('searchbox', { name: 'Find a transaction by a reference or a link' }), text);
}

/** Its heading gets the focus after it is shown. */
const transactionShown = (page: Page, reference: string) =>
  page
    .getByRole('heading', { name: `Transaction ${reference}` })
    .and(page.locator(':focus'))
    .waitFor();

pageTest(
  'a reference of either kind and a pasted link find one transaction, and Back leaves the search',
  async ({ page, enter, url, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await find(page, ` ${account}.${name(24)} `);
    await transactionShown(page, `${account}.${name(24)}`);
    await page.goBack();
    await waitForFirstRow(page, `${account}.${name(0)}`);

    await find(page, 'order-104\t');
    await transactionShown(page, `${account}.${name(4)}`);
    await find(page, `${url}/v1/transactions/${account}.${name(3)}`);
    await transactionShown(page, `${account}.${name(3)}`);
    await find(page, `${url}/#/transactions?currency=USD&account=${account}`);
    await waitForFirstRow(page, `${account}.${name(1)}`);
    await eventually(() => fragmentOf(page), '#/transactions?currency=USD');
  },
  withTransactions,
);

pageTest(
  'the key / goes to the search, and is typed where a text is being typed',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const field = page.getByRole('searchbox');
    await page.keyboard.press('/');
    await eventually(() => field.evaluate((one) => one === document.activeElement), true);
    await page.keyboard.type('a/b');
    await eventually(() => field.inputValue(), 'a/b');
    const filter = page.getByLabel('Your reference', { exact: true });
    await filter.focus();
    await page.keyboard.type('7/8');
    await eventually(() => filter.inputValue(), '7/8');
  },
  withTransactions,
);

detailTest(
  'several matches are a list, with the way to those that do not fit',
  async ({ page, enter, account }) => {
    await enter();
    await find(page, `${account}.both`);
    const found = page.getByRole('table', { name: 'Transactions that were found, newest first' });
    await found.waitFor();
    await eventually(() => found.getByRole('row').count(), 1 + 1 + 10);
    await found.getByRole('link', { name: `${account}.both`, exact: true }).waitFor();
    // On paper, where the heading is not.
    const printed = await page.locator('.print-head').textContent();
    assert.match(printed ?? '', new RegExp(`^Account ${account} \u00b7 Reference: ${account}.both \u00b7 `));
    await page
      .getByRole('link', { name: `Show all transactions with ${account}.both as your reference` })
      .click();
    await page.getByText('Page 1', { exact: true }).waitFor();
    await eventually(() => fragmentOf(page), `#/transactions?merchantReference=${account}.both`);
  },
  withTransactions,
);

detailTest(
  'what is not found says whose transactions were searched and for what; foreign links and long texts too',
  async ({ page, enter, account }) => {
    await enter();
    const alert = page.getByRole('alert');
    for (const text of [
      'a reference?#%2F&account=x',
      'https://elsewhere.example/#/transactions/a',
      'x'.repeat(300),
      '..',
    ]) {
      await find(page, text);
      await alert.getByText(text, { exact: true }).waitFor();
      await eventually(() => alert.getByRole('heading', { name: 'Nothing was found' }).count(), 1);
      assert.match((await alert.innerText()).replaceAll(/\s+/g, ' '), new RegExp(`account ${account} has`));
    }
    await alert.getByRole('link', { name: 'All transactions' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  withTransactions,
);

detailTest(
  'a text with other capitals finds what has it in lower or in upper case, and never says that it is the same',
  async ({ page, enter, account, requests }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const before = requests.length;
    await find(page, 'Order-104');
    const found = page.getByRole('table', { name: 'Transactions that were found, newest first' });
    await found.waitFor();
    await eventually(
      () => page.locator('.search-note').innerText(),
      'Nothing has exactly the reference Order-104. This one has order-104, with other capitals.',
    );
    await eventually(
      () => page.locator('.heading-filter').innerText(),
      'with other capitals than Order-104, yours or ours',
    );
    await eventually(() => found.getByRole('row').count(), 1 + 1);
    await page.locator('#announcements').getByText('1 transaction found, with other capitals').waitFor();
    assert.equal(requests.slice(before).filter((one) => one.includes('/v1/transactions')).length, 6);
    const field = page.getByRole('searchbox');
    await eventually(() => field.inputValue(), 'Order-104');
    await found.getByRole('link', { name: `${account}.${name(4)}`, exact: true }).click();
    await transactionShown(page, `${account}.${name(4)}`);
    await eventually(() => field.inputValue(), '');

    await find(page, 'both-cases');
    await transactionShown(page, `${account}.low`);
    await find(page, 'Both-Cases');
    await page.getByText('These have both-cases or BOTH-CASES, with other capitals.').waitFor();
    await eventually(() => found.getByRole('row').count(), 1 + 2);
    await find(page, 'order-1O4');
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await page.getByText('None has order-1o4 or ORDER-1O4 either.').waitFor();
    await eventually(() => field.inputValue(), 'order-1O4');
  },
  {
    transactions: (account) => [
      ...pageTransactions(account),
      transaction(account, 'low', { merchantReference: 'both-cases' }),
      transaction(account, 'high', { merchantReference: 'BOTH-CASES' }),
    ],
  },
);

detailTest(
  'a key in upper case is never sent in lower case',
  async ({ page, enter, requests, key }) => {
    await enter();
    await find(page, key.toUpperCase());
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    assert.ok(!requests.some((one) => one.includes(key.toLowerCase())));
  },
  withTransactions,
);

pageTest(
  'an API key is neither searched nor a filter: it gets into no address and no request',
  async ({ page, enter, account, key }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const before = page.url();
    await find(page, key);
    const field = page.getByRole('searchbox');
    await page.waitForFunction(() => !document.querySelector<HTMLInputElement>('#find-text')?.validity.valid);
    assert.match(
      await field.evaluate((one) => (one as HTMLInputElement).validationMessage),
      /^This is an API key, not a reference\. Nothing was sent\./,
    );
    assert.equal(page.url(), before);

    const filter = page.getByLabel('Your reference', { exact: true });
    await filter.fill(` ${key}`);
    for (const button of ['Apply', 'Last 7 days']) {
      await page.getByRole('button', { name: button }).click();
      await eventually(
        () => filter.evaluate((one) => (one as HTMLInputElement).validity.patternMismatch),
        true,
      );
      assert.equal(page.url(), before, button);
    }
    await find(page, 'order-104');
    await transactionShown(page, `${account}.${name(4)}`);
  },
  withTransactions,
);

detailTest(
  'a search that fails shows no "nothing found", and can be repeated',
  async ({ page, enter, faults, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    faults.failing = true;
    try {
      await find(page, 'order-104');
      await page
        .getByRole('alert')
        .getByRole('heading', { name: 'The service is temporarily unavailable' })
        .waitFor();
      assert.equal(await page.getByText('Nothing was found').count(), 0);
    } finally {
      faults.failing = false;
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await transactionShown(page, `${account}.${name(4)}`);
  },
  withTransactions,
);

pageTest(
  'each filter in use is a chip whose click removes it',
  async ({ page, enter, account }) => {
    await enter('#/transactions?status=completed&currency=USD&from=2026-06-13&to=2026-06-14');
    await waitForFirstRow(page, `${account}.${name(2)}`);
    const chips = page.getByRole('list', { name: 'Filters in use' });
    await eventually(
      async () =>
        (await chips.getByRole('button').allInnerTexts()).map((text) => text.replace('\u00d7', '').trim()),
      ['Completed', 'USD', '2026-06-13 to 2026-06-14'],
    );
    await chips.getByRole('button', { name: 'Remove the filter 2026-06-13 to 2026-06-14' }).click();
    await page.waitForFunction(() => !location.hash.includes('from='));
    await eventually(() => fragmentOf(page), '#/transactions?status=completed&currency=USD');
    await chips.getByRole('button', { name: 'Remove the filter Completed' }).click();
    await waitForFirstRow(page, `${account}.${name(1)}`);
    await chips.getByRole('button', { name: 'Remove the filter USD' }).click();
    await page.getByText('All, newest first').waitFor();
  },
  { transactions: pageTransactions },
);
