import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from 'playwright-core';
import { StoreUnavailable } from '../../src/core/store.ts';
import type { AccountTransaction } from '../../src/core/transaction.ts';
import type { TestApp } from './app.ts';
import { appOnFaultyStore, rejectWith } from './faulty-store.ts';
import { refuseForeignRows } from './isolation.ts';
import { record } from './transactions.ts';

const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

const skip =
  CHROMIUM === undefined &&
  'no Chromium is here to show the page: apt-get install chromium, or give the path of one in CHROMIUM';

const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
  // Chromium refuses to run as root in its sandbox, and what it shows here is ours alone.
  '--no-sandbox',
];
/** Never reached but by a fault, also where the machine is busy with something else. */
const PATIENCE_MS = 60_000;

interface Served {
  app: TestApp;
  /** Whether the store fails. */
  faults: { failing: boolean };
  url: string;
  browser: Browser;
}

let serving: Promise<Served> | undefined;
let accounts = 0;

async function serve(): Promise<Served> {
  const unavailable = rejectWith(() => new StoreUnavailable('the database is away'));
  const { app, faults } = await appOnFaultyStore(['listTransactions', 'retrieveTransaction'], unavailable);
  const [url, browser] = await Promise.all([
    app.server.listen({ host: '127.0.0.1', port: 0 }),
    chromium.launch({ executablePath: CHROMIUM as string, args: ARGUMENTS }),
  ]);
  return { app, faults, url, browser };
}

after(async () => {
  if (serving === undefined) return;
  const { app, browser } = await serving;
  await browser.close();
  await app.server.close();
});

/** A window of a browser on the page, with an account and a key of its own. */
export interface PageWindow extends Omit<Served, 'browser'> {
  page: Page;
  account: string;
  key: string;
  /** Opens the page at an address below /, and signs in. */
  enter(fragment?: string): Promise<void>;
  /** Each request of the page so far, as method and address. */
  requests: string[];
  /** Another window, which shares nothing with this one. */
  another(): Promise<Page>;
}

export interface WindowOptions {
  /** What the account has. */
  transactions?: (account: string) => AccountTransaction[];
  context?: BrowserContextOptions;
}

/**
 * A test of the page in a browser. In all of them, the page may ask nobody but the service, must keep its policy and throw
 * nothing, and the key may stand in no address.
 */
export function pageTest(
  name: string,
  run: (window: PageWindow) => Promise<void>,
  { transactions, context = {} }: WindowOptions = {},
): void {
  test(name, { skip }, async () => {
    serving ??= serve();
    const { app, faults, url, browser } = await serving;
    const account = `acct-${++accounts}`;
    if (transactions !== undefined) await record(app.store, transactions(account));
    const key = await app.makeKey(account);
    const requests: string[] = [];
    const wrong: string[] = [];
    const shown: Promise<void>[] = [];
    const openWindow = async () => {
      const opened = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', ...context });
      opened.setDefaultTimeout(PATIENCE_MS);
      opened.on('request', (request) => {
        requests.push(`${request.method()} ${request.url()}`);
        if (!request.url().startsWith('blob:') && new URL(request.url()).origin !== url)
          wrong.push(`asked ${request.url()}`);
      });
      opened.on('console', (message) => {
        if (/Content Security Policy|Trusted/i.test(message.text())) wrong.push(message.text());
      });
      opened.on('response', (response) => {
        if (response.status() === 200 && new URL(response.url()).pathname.startsWith('/v1/')) {
          shown.push(checkRows(response).catch((error) => void wrong.push(String(error))));
        }
      });
      opened.on('weberror', (error) => wrong.push(String(error.error())));
      return opened.newPage();
    };
    const page = await openWindow();
    const enter = async (fragment = '') => {
      await page.goto(`${url}/${fragment}`);
      await page.getByLabel('API key', { exact: true }).fill(key);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    };
    try {
      await run({ app, faults, url, page, account, key, requests, enter, another: openWindow });
      await Promise.all(shown);
      assert.deepEqual(wrong, []);
      for (const address of [page.url(), ...requests])
        assert.ok(!address.includes(key), 'the key in an address');
    } finally {
      faults.failing = false;
      await Promise.all(browser.contexts().map((one) => one.close()));
    }
  });
}

/** Fails where the service showed the page a row of another account than its key's. */
async function checkRows(response: Response): Promise<void> {
  const { authorization = '' } = await response.request().allHeaders();
  const body = await response.json().catch(() => undefined);
  refuseForeignRows(authorization.replace(/^Bearer /, ''), body);
}

/** What the page shows as rows of the table, each cell as it is read. */
export async function rowsOf(page: Page): Promise<string[][]> {
  const rows = await page.getByRole('row').all();
  return Promise.all(
    rows.slice(1).map(async (row) => {
      const cells = await row.getByRole('cell').allInnerTexts();
      return cells.map((text) => text.replaceAll(/\s+/g, ' ').trim());
    }),
  );
}

/** Waits until the table begins with a transaction. */
export async function waitForFirstRow(page: Page, reference: string): Promise<void> {
  await page
    .locator('table[aria-busy="false"] tbody tr:first-child')
    .getByText(reference, { exact: true })
    .waitFor();
}

/** Has the service ask for so long a pause that the page does not try again by itself before a test clicks. */
export async function leaveRetriesToClicks(page: Page): Promise<void> {
  await page.route('**/v1/transactions**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), ...(response.status() === 503 && { 'retry-after': '60' }) };
    await route.fulfill({ response, headers });
  });
}
