import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { lazy } from '../../../values/lazy.ts';
import type { Scope } from '../../../values/scopes.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { record } from '../data/transactions.ts';
import { noteKey, refuseForeignRows } from '../database/isolation.ts';
import { atEnd } from '../run/at-end.ts';
import { hasTurn } from '../run/tier.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../service/app.ts';
import { storeWith } from '../store/store-with.ts';

const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

const skip =
  CHROMIUM === undefined &&
  'Chromium is not installed: apt-get install chromium-headless-shell, or set CHROMIUM to the path of a Chromium';

/** Chromium obeys only the last `--disable-features`, so this repeats Playwright's list and adds three. */
const DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

const ARGUMENTS = [
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${DISABLED_FEATURES}`,
  '--disable-gpu',
  // On two cores, a separate drawing process and threads for JavaScript cost more than they save.
  '--in-process-gpu',
  '--js-flags=--single-threaded',
  '--disable-sync',
  '--no-first-run',
  '--no-sandbox',
];
const TIMEOUT_MS = 60_000;
const POLL_MS = 20;

interface Served {
  app: TestApp;
  faults: {
    failing: boolean;
    beforeExportPage?: (() => Promise<void>) | undefined;
    dateMs?: number | undefined;
  };
  url: string;
  browser: Browser;
}

type Settings = Partial<Pick<typeof testConfig, 'sessionReturnUrl' | 'embedOrigins'>>;

const NO_SETTINGS: Settings = {};
const serving = new Map<Settings, Promise<Served>>();
let accounts = 0;

const launched = lazy(async () => {
  const browser = await chromium.launch({ executablePath: CHROMIUM as string, args: ARGUMENTS });
  atEnd(() => browser.close());
  return browser;
});

export function browserTest(name: string, run: (browser: Browser) => Promise<void>): void {
  test(name, { skip }, async () => run(await launched()));
}

async function serve(settings: Settings): Promise<Served> {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const faults: Served['faults'] = { failing: false };
  const failIfDown = async () => {
    if (faults.failing) throw new StoreUnavailable('database_error', 'the database is down');
  };
  const faulty = storeWith(store, {
    listTransactions: (...values) => failIfDown().then(() => store.listTransactions(...values)),
    retrieveTransaction: (...values) => failIfDown().then(() => store.retrieveTransaction(...values)),
    listNumbered: async (...values) => {
      await faults.beforeExportPage?.();
      return store.listNumbered(...values);
    },
  });
  const app = await buildTestApp({ store: faulty, clock, config: { ...testConfig, ...settings } });
  // The header has the time of the test, because the page compares this header with its device's clock.
  app.server.server.prependListener('request', (_request, response: ServerResponse) => {
    response.setHeader('date', new Date(faults.dateMs ?? clock.now()).toUTCString());
  });
  const [url, browser] = await Promise.all([app.server.listen({ host: '127.0.0.1', port: 0 }), launched()]);
  return { app, faults, url, browser };
}

atEnd(async () => {
  for (const { app } of await Promise.all(serving.values())) await app.server.close();
});

export interface PageWindow extends Omit<Served, 'browser'> {
  page: Page;
  account: string;
  key: string;
  enter(fragment?: string): Promise<void>;
  stopClocks(time: string): Promise<void>;
  requests: string[];
  another(): Promise<Page>;
}

interface WindowOptions {
  transactions?: (account: string) => AccountTransaction[];
  context?: BrowserContextOptions;
  scopes?: readonly Scope[];
  settings?: Settings;
  isFirstVisit?: boolean;
  otherSite?: string;
}

/** In each test, the page must request only the service, obey its CSP and put the key in no URL. */
export function pageTest(
  name: string,
  run: (window: PageWindow) => Promise<void>,
  {
    transactions,
    context = {},
    scopes,
    settings = NO_SETTINGS,
    isFirstVisit = false,
    otherSite,
  }: WindowOptions = {},
): void {
  test(name, { skip }, async () => {
    const served = serving.get(settings) ?? serve(settings);
    serving.set(settings, served);
    const { app, faults, url, browser } = await served;
    const account = `acct-${++accounts}`;
    if (transactions !== undefined) await record(app.store, transactions(account));
    const key = await app.makeKey(account, scopes && { scopes });
    const { answer } = app.receivers;
    const startMs = app.clock.now();
    const requests: string[] = [];
    const ofFeed: string[] = [];
    const wrong: string[] = [];
    const shown: Promise<void>[] = [];
    const openWindow = async () => {
      const opened = await browser.newContext({
        timezoneId: 'Europe/Berlin',
        locale: 'en-GB',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...context,
      });
      await opened.addInitScript(setClock, app.clock.now() - Date.now());
      if (!isFirstVisit) await opened.addInitScript(chooseDefaults);
      opened.setDefaultTimeout(TIMEOUT_MS);
      opened.on('request', (request) => {
        const sent = request.url().includes('&wait=') ? ofFeed : requests;
        sent.push(`${request.method()} ${request.url()}`);
        if (!request.url().startsWith('blob:') && ![url, otherSite].includes(new URL(request.url()).origin))
          wrong.push(`requested ${request.url()}`);
      });
      opened.on('console', (message) => {
        if (/Content Security Policy|Trusted/i.test(message.text())) wrong.push(message.text());
      });
      opened.on('response', (response) => {
        if (response.status() === 201 && response.url() === `${url}/v1/session`)
          shown.push(response.json().then(({ key: opened, account: of }) => noteKey(opened, of)));
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
      await enterInto(page.locator('#api-key'), key);
      await page.locator('.bar-user').waitFor({ state: 'attached' });
    };
    const stopClocks = async (time: string) => {
      faults.dateMs = Date.parse(time);
      await page.clock.setFixedTime(time);
    };
    try {
      await run({ app, faults, url, page, account, key, requests, enter, stopClocks, another: openWindow });
      await Promise.all(shown);
      assert.deepEqual(wrong, []);
      for (const address of [page.url(), ...requests, ...ofFeed])
        assert.ok(!address.includes(key), 'the key in an address');
    } finally {
      app.receivers.answer = answer;
      app.clock.set(startMs);
      faults.failing = false;
      faults.beforeExportPage = undefined;
      faults.dateMs = undefined;
      // Ignores errors of route handlers that still run when the window closes.
      const pages = browser.contexts().flatMap((one) => one.pages());
      await Promise.all(pages.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(browser.contexts().map((one) => one.close()));
    }
  });
}

function chooseDefaults(): void {
  if (location.protocol !== 'http:') return;
  localStorage.setItem('transactions.time-zone', localStorage.getItem('transactions.time-zone') ?? 'utc');
  localStorage.setItem('transactions.rows', localStorage.getItem('transactions.rows') ?? '10');
}

function setClock(aheadMs: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + aheadMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, given, target) => Reflect.construct(date, given.length > 0 ? given : [now()], target),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  });
}

export function detailTest(...[name, run, options]: Parameters<typeof pageTest>): void {
  if (hasTurn(name)) pageTest(name, run, options);
}

type Run = Parameters<typeof pageTest>[1];

export const pageTests = (options: WindowOptions = {}) => ({
  test: (name: string, run: Run) => pageTest(name, run, options),
  it: (name: string, run: Run) => detailTest(name, run, options),
});

async function checkRows(response: Response): Promise<void> {
  const { authorization = '' } = await response.request().allHeaders();
  const body = await response.json().catch(() => undefined);
  refuseForeignRows(authorization.replace(/^Bearer /, ''), body);
}

export function holdExports(faults: Served['faults'], pages: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  faults.beforeExportPage = () => (read++ < pages ? Promise.resolve() : promise);
  return resolve;
}

export const fragmentOf = (page: Page): string =>
  new URL(page.url()).hash.replace(/[?&]account=[^&]*&timeZone=[^&]*$/, '');

export const countLoading = (page: Page): Promise<number> =>
  page.locator('[aria-busy="true"], .loading').count();

export const settled = (page: Page): Promise<void> =>
  eventually(() => countLoading(page), 0, 'the parts that load');

export const textsOf = async (parts: Locator): Promise<string[]> =>
  (await parts.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

export async function rowsOf(page: Page, table = 'Transactions, newest first'): Promise<string[][]> {
  await settled(page);
  return page
    .getByRole('table', { name: table })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll<HTMLElement>('th, td')].map((cell) =>
          cell.innerText.replaceAll(/\s+/g, ' ').trim(),
        ),
      ),
    );
}

export async function eventually<Value>(
  read: () => Value | Promise<Value>,
  expected: Value,
  message?: string,
): Promise<void> {
  for (const giveUpAtMs = performance.now() + TIMEOUT_MS; ; await delay(POLL_MS)) {
    const value = await read();
    if (performance.now() > giveUpAtMs) return assert.deepEqual(value, expected, message);
    if (isDeepStrictEqual(value, expected)) return;
  }
}

export async function enterInto(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Enter');
}

export async function choose(page: Page, button: RegExp, value: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.locator(':popover-open').getByRole('button', { name: value, exact: true }).click();
}

export const chooseZone = (page: Page, value: string | RegExp): Promise<void> =>
  choose(page, /^Time zone/, value);

export async function openDays(page: Page): Promise<Locator> {
  await page.locator('.chip[popovertarget="filter-from"]').click();
  return page.locator('#filter-from');
}

export async function waitForFirstRow(page: Page, reference: string): Promise<void> {
  await page
    .locator('table[aria-busy="false"] tbody tr:first-child')
    .getByText(reference, { exact: true })
    .waitFor();
}

export async function leaveRetriesToClicks(page: Page): Promise<void> {
  await page.route('**/v1/transactions**', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), ...(response.status() === 503 && { 'retry-after': '60' }) };
    await route.fulfill({ response, headers });
  });
}
