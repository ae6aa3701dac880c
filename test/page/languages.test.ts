import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { FIELD_LABELS } from '../../values/interface/fields.ts';
import type { ShownError } from '../../values/interface/shown-errors.ts';
import { texts as deLater } from '../../web/text/de/later.ts';
import { texts as de } from '../../web/text/de.ts';
import { endpoints } from '../../web/text/en/endpoints.ts';
import { reconcile } from '../../web/text/en/reconcile.ts';
import { review } from '../../web/text/en/review.ts';
import { sheet } from '../../web/text/en/sheet.ts';
import { en } from '../../web/text/en.ts';
import { texts as frLater } from '../../web/text/fr/later.ts';
import { texts as fr } from '../../web/text/fr.ts';
import {
  choose,
  detailTest,
  enterInto,
  eventually,
  pageTest,
  settled,
  waitForFirstRow,
} from '../rig/page/browser.ts';
import { name, openList, pageTransactions } from '../rig/page/page-transactions.ts';
import { NARROW, tooWide, violationsOf } from './check-accessibility.ts';

const withTransactions = { transactions: pageTransactions };

const ENGLISH = Object.values<unknown>({ ...en, ...endpoints, ...reconcile, ...review, ...sheet })
  .flatMap((text) => (typeof text === 'object' && text !== null ? Object.values(text) : [text]))
  .filter((text) => typeof text === 'string')
  .map((text) => text.trim())
  .filter((text) => /^\w+ \w+/.test(text));

async function isAllIn(page: Page, language: string): Promise<void> {
  assert.equal(await page.evaluate(() => document.documentElement.lang), language);
  await settled(page);
  const shown = await page.evaluate(() => document.body.innerText);
  assert.deepEqual(
    ENGLISH.filter((text) => shown.includes(text)),
    [],
  );
  await eventually(() => tooWide(page), []);
}

for (const [locale, texts, later, pending] of [
  ['de-CH', de, deLater, 'Ausstehend'],
  ['fr-FR', fr, frLater, 'En attente'],
] as const) {
  const language = locale.slice(0, 2) as 'de' | 'fr';
  pageTest(
    `a browser in ${language} shows the page in that language: signing in, the list with its filters and sums, a transaction, an empty list, a failure and a screen that is loaded later`,
    async ({ page, url, key, account }) => {
      const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
      await page.setViewportSize(NARROW);
      await page.goto(url);
      await page.locator('#main h1').waitFor();
      await isAllIn(page, language);
      await heading(texts.$signIn);
      const help = page.getByRole('link', {
        name: language === 'de' ? 'Hilfe (englisch)' : 'Aide (en anglais)',
      });
      assert.equal(await help.getAttribute('hreflang'), 'en');
      await enterInto(page.getByLabel(texts.$apiKey, { exact: true }), key);
      await waitForFirstRow(page, `${account}.${name(0)}`);
      await eventually(async () => (await page.title()).endsWith(`- ${texts.$transactions}`), true);
      await page.getByRole('button', { name: texts.$allSums }).click();
      await page.getByText(new RegExp(`^25 ${texts.$transaction.other}`)).waitFor();
      await choose(page, new RegExp(`^${FIELD_LABELS.status[language]}`), pending);
      await page.getByRole('button', { name: texts.$removeFilterOf(pending) }).waitFor();
      await page.locator('.status').getByText(pending).first().waitFor();
      await isAllIn(page, language);
      assert.deepEqual(await violationsOf(page), []);

      await page.locator('.transactions a.reference').first().click();
      await page.getByText(texts.$recordedBy).waitFor();
      await isAllIn(page, language);
      await page.goto(`${url}/#/transactions?currency=JPY`);
      await heading(texts.$noMatch);
      await isAllIn(page, language);
      await page.goto(`${url}/#/transactions?currency=ZZZ`);
      const { title, detail } = texts.$problems.get('invalid_currency') as ShownError;
      await heading(title);
      await page.getByText(detail).waitFor();
      await isAllIn(page, language);
      await page.goto(`${url}/#/reconcile`);
      await page.getByText(later.$reconcile.$intro).waitFor();
      await isAllIn(page, language);
    },
    { ...withTransactions, context: { locale } },
  );
}

detailTest(
  'another language is chosen at the foot of the page, applies to the same screen and to numbers, and stays chosen',
  async (window) => {
    const { page, account, url } = window;
    await openList(window, '#/transactions?status=completed&currency=EUR', 3);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: de.$transactions }).waitFor();
    await waitForFirstRow(page, `${account}.${name(3)}`);
    assert.match(page.url(), /status=completed&currency=EUR/);
    await page.getByText('123.456.789.012,34').first().waitFor();
    const other = await page.context().newPage();
    await other.goto(url);
    await waitForFirstRow(other, `${account}.${name(0)}`);
    await other.getByRole('heading', { name: de.$transactions }).waitFor();
    await other.getByRole('button', { name: 'English' }).click();
    await other.getByRole('heading', { name: en.$transactions, exact: true }).waitFor();
  },
  withTransactions,
);

detailTest(
  'a language that cannot be loaded leaves the page in English',
  async ({ page, url }) => {
    await page.route('**/fr.*.js', (route) => route.abort());
    await page.goto(url);
    await page.getByRole('heading', { name: en.$signIn }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  },
  { context: { locale: 'fr-FR' } },
);
