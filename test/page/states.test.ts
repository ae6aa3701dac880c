import assert from 'node:assert/strict';
import { leaveRetriesToClicks, pageTest, waitForFirstRow } from '../rig/browser.ts';
import { name, pageTransactions } from '../rig/page-transactions.ts';
import { transaction } from '../rig/transactions.ts';

const withTransactions = { transactions: pageTransactions };
const LIST = '**/v1/transactions*';

pageTest('an account without transactions has its own message', async ({ page, enter }) => {
  await enter();
  await page.getByRole('heading', { name: 'No transactions yet' }).waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
});

pageTest(
  'a filter without transactions tells which one it is, and is cleared by a click',
  async ({ page, enter, account }) => {
    await enter('#/transactions?currency=JPY&from=2026-06-01');
    await page.getByRole('heading', { name: 'No transactions match' }).waitFor();
    await page.getByText('The account has no transaction with JPY, from 2026-06-01.').waitFor();
    await page.getByText('Days are UTC days of the time of creation.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  withTransactions,
);

pageTest(
  'while an answer is awaited the old page stands back, and a first one has its place kept',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const waiting: (() => void)[] = [];
    await page.route(LIST, async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await route.continue();
    });
    await page.getByRole('button', { name: 'Older' }).click();
    await page.locator('table[aria-busy="true"]').waitFor();
    await page.getByRole('status').getByText('Loading transactions').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Older' }).getAttribute('aria-disabled'), 'true');
    assert.equal(await page.locator('.pager-place').innerText(), 'Loading page 2\u2026');
    waiting.pop()?.();
    await waitForFirstRow(page, `${account}.${name(10)}`);

    await page.reload();
    await page.locator('.loading-row').first().waitFor();
    await page.getByRole('status').getByText('Loading transactions').waitFor({ state: 'attached' });
    waiting.pop()?.();
    await waitForFirstRow(page, `${account}.${name(10)}`);
    await page.getByRole('status').getByText('10 transactions').waitFor({ state: 'attached' });
  },
  withTransactions,
);

pageTest(
  'each fault of a filter shows the error of the service, with the request id to copy',
  async ({ page, enter, account, app }) => {
    await enter('#/transactions?status=paid&currency=ZZZ&from=2026-02-30');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'The request is invalid' }).waitFor();
    const faults = await alert.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      faults.map((text) => text.split(/\s/)[0]),
      ['status', 'currency', 'from'],
    );
    assert.match(faults[0] ?? '', /is not a recognised status\. Recognised: pending, completed/);
    await alert.getByRole('button', { name: 'Copy request id' }).click();
    const requestId = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(
      app.logged.some((line) => line.includes(requestId)),
      'no line of the log has the request id',
    );
    await alert.getByRole('button', { name: 'Clear the filters' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  { ...withTransactions, context: { permissions: ['clipboard-read', 'clipboard-write'] } },
);

pageTest(
  'a failure of the service shows its error, and a click sends the request again',
  async ({ page, enter, account, faults }) => {
    await leaveRetriesToClicks(page);
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    faults.failing = true;
    await page.getByRole('button', { name: 'Older' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'The service is temporarily unavailable' }).waitFor();
    await alert.getByText(/Request id client-/).waitFor();
    assert.equal(await alert.getByRole('link').getAttribute('href'), '/errors/unavailable');
    faults.failing = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await waitForFirstRow(page, `${account}.${name(10)}`);

    faults.failing = true;
    await page.getByRole('link', { name: `${account}.${name(12)}` }).click();
    await page.getByRole('heading', { name: 'The service is temporarily unavailable' }).waitFor();
    faults.failing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('dl .fact').first().waitFor();
  },
  withTransactions,
);

pageTest(
  'a service that is away is asked again by the page, at a pace that it shows, until the list is there',
  async ({ page, enter, account, faults, requests }) => {
    await page.clock.install();
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    faults.failing = true;
    await page.getByRole('button', { name: 'Older' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'The service is temporarily unavailable' }).waitFor();
    const retry = page.locator('.retry');
    for (const pauseSeconds of [2, 4]) {
      await retry.getByText(/in \d+ s/).waitFor();
      const asked = requests.length;
      await page.clock.fastForward(pauseSeconds * 1500);
      await retry.getByText('now\u2026').waitFor();
      await retry.getByText(/in \d+ s/).waitFor();
      assert.ok(requests.length > asked, 'the service was not asked again');
    }
    assert.equal(await page.getByRole('status').innerText(), '', 'the failed page is announced as loading');
    faults.failing = false;
    await page.clock.fastForward(15_000);
    await waitForFirstRow(page, `${account}.${name(10)}`);
    assert.equal(await alert.count(), 0);
  },
  withTransactions,
);

pageTest(
  'a service that can not be reached is asked again too, for one transaction as for the list',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.route(LIST, (route) => route.abort('connectionrefused'));
    await page.route('**/v1/transactions/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: `${account}.${name(2)}` }).click();
    await page.getByRole('heading', { name: 'The service can not be reached' }).waitFor();
    await page.unroute('**/v1/transactions/*');
    await page.locator('dl .fact').first().waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'The service can not be reached' }).waitFor();
    await page.unroute(LIST);
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  withTransactions,
);

pageTest(
  'a tab that nobody sees asks for nothing until it is looked at again',
  async ({ page, enter, account, faults, requests }) => {
    await page.clock.install();
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const setHidden = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await setHidden(true);
    faults.failing = true;
    await page.getByRole('button', { name: 'Older' }).click();
    await page
      .locator('.retry')
      .getByText(/in \d+ s/)
      .waitFor();
    const asked = requests.length;
    await page.clock.fastForward(60_000);
    await page.locator('.retry').getByText('in 1 s').waitFor();
    assert.equal(requests.length, asked);
    faults.failing = false;
    await setHidden(false);
    await waitForFirstRow(page, `${account}.${name(10)}`);
  },
  withTransactions,
);

pageTest(
  'a gateway without its service is asked again, a fault of the service is not',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    for (const [status, isAskedAgain] of [
      [502, true],
      [504, true],
      [500, false],
    ] as const) {
      await page.route(LIST, (route) => route.fulfill({ status, body: '' }));
      await page.getByRole('button', { name: /^(Newest|Try again)$/ }).click();
      await page.getByRole('heading', { name: `HTTP ${status}` }).waitFor();
      assert.equal(await page.locator('.retry').count(), isAskedAgain ? 1 : 0, `status ${status}`);
      await page.unroute(LIST);
    }
  },
  withTransactions,
);

pageTest(
  'a misspelt link shows no list: it names the fault, and leads to what was meant',
  async ({ page, enter, account, requests }) => {
    await enter('#/?curency=EUR');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'This link is misspelt' }).waitFor();
    await alert.getByText('is not a filter. Did you mean currency?').waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    const lists = requests.filter((request) => request.includes('/v1/transactions'));
    assert.equal(lists.length, 1, 'more was asked than to sign in');
    await alert.getByRole('button', { name: 'Show EUR' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    assert.equal(new URL(page.url()).hash, '#/transactions?currency=EUR');

    const open = (address: string) => page.evaluate((fragment) => location.assign(fragment), address);
    await open('#/elsewhere');
    await alert.getByText('#/elsewhere is not an address of this page.').waitFor();
    await alert.getByRole('button', { name: 'All transactions' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await open(`#/transaction/${account}.${name(4)}`);
    await alert.getByRole('button', { name: `Show transaction ${account}.${name(4)}` }).click();
    await page.locator('dl .fact').first().waitFor();
  },
  withTransactions,
);

pageTest(
  'filters before the # of the address are moved behind it by a click, and leave no trace',
  async ({ page, enter, account, url }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.goto(`${url}/?currency=USD`);
    await page.getByRole('button', { name: 'Show USD' }).click();
    await waitForFirstRow(page, `${account}.${name(1)}`);
    assert.equal(page.url(), `${url}/#/transactions?currency=USD`);
  },
  withTransactions,
);

pageTest(
  'a device without a network has its own message, and the page continues when the network returns',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('heading', { name: 'This device is offline' }).waitFor();
    assert.equal(await page.getByText('Request id').count(), 0, 'what was never sent is given an id');
    await page.context().setOffline(false);
    await waitForFirstRow(page, `${account}.${name(10)}`);
  },
  withTransactions,
);

pageTest(
  'an unreachable service and a foreign response have messages of their own',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.${name(0)}`);
    const again = page.getByRole('button', { name: 'Newest' });
    await page.route(LIST, (route) => route.abort('connectionrefused'));
    await again.click();
    await page.getByRole('heading', { name: 'The service can not be reached' }).waitFor();
    // Before the other answer ends, or the page could find the service back by itself.
    await page.route(LIST, (route) =>
      route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>A proxy</h1>' }),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'HTTP 404' }).waitFor();
    assert.equal(
      await page.getByRole('alert').getByRole('link').count(),
      0,
      'a code of the service is named',
    );
    await page.unroute(LIST);
    await page.route(LIST, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' }));
    await page.reload();
    await page.getByRole('heading', { name: 'The answer could not be read' }).waitFor();
  },
  withTransactions,
);

pageTest(
  'a cursor that expired goes on from where it stood, with its filters',
  async ({ page, enter, account, app }) => {
    await enter('#/transactions?currency=USD');
    await waitForFirstRow(page, `${account}.${name(1)}`);
    app.clock.advance(25 * 3_600_000);
    await page.getByRole('button', { name: 'Older' }).click();
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'The cursor has expired' }).waitFor();
    await alert.getByRole('button', { name: 'Newest page' }).waitFor();
    await alert.getByRole('button', { name: 'Go on from there' }).click();
    // The day of the last transaction that was shown, from its newest one.
    await waitForFirstRow(page, `${account}.${name(14)}`);
    assert.equal(new URL(page.url()).hash, '#/transactions?currency=USD&to=2026-06-11');
  },
  withTransactions,
);

pageTest(
  'a cursor that was altered leads back to the newest page',
  async ({ page, enter, account }) => {
    await enter('#/transactions?cursor=abc');
    await page.getByRole('heading', { name: 'The cursor is malformed' }).waitFor();
    await page.getByRole('button', { name: 'Newest page' }).click();
    await waitForFirstRow(page, `${account}.${name(0)}`);
  },
  withTransactions,
);

pageTest(
  'what a merchant wrote is shown as text, whatever it is',
  async ({ page, enter, account }) => {
    await enter();
    await waitForFirstRow(page, `${account}.hostile`);
    assert.equal(await page.locator('.merchant-reference').innerText(), '<img src=x onerror=alert(1)>');
    assert.equal(await page.locator('td img').count(), 0);
  },
  {
    transactions: (account) => [
      transaction(account, 'hostile', { merchantReference: '<img src=x onerror=alert(1)>' }),
    ],
  },
);
