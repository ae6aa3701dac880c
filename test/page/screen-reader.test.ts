import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { record, transaction } from '../rig/data/transactions.ts';
import { choose, eventually, pageTests, settled } from '../rig/page/browser.ts';
import { openList, pageTransactions } from '../rig/page/page-transactions.ts';

const both = { transactions: pageTransactions, scopes: ['read', 'webhooks'] } as const;
const { test } = pageTests(both);
const PAUSE_MS = 5000;

test('a count is announced with a space before its status, and no announcement contains a control', async (window) => {
  const { page } = window;
  await openList(window);
  await settled(page);
  await page.getByRole('button', { name: 'All sums' }).click();
  await page.getByRole('link', { name: /^\d+ Completed in EUR$/ }).waitFor();
  await eventually(() => page.getByText(' Completed in EUR').textContent(), ' Completed in EUR');
  const regions = page.locator('[role=status], output, [aria-live=polite], [aria-live=assertive]');
  assert.ok((await regions.count()) > 0);
  assert.equal(await regions.locator('a, button, input, select, textarea, [role], [tabindex]').count(), 0);
});

test('with changes to show, Tab reaches the first row in at most 15 steps', async (window) => {
  const { page, account, app } = window;
  await openList(window);
  await record(app.store, [transaction(account, 'new', { createdAtMs: app.clock.now() })]);
  await page.getByRole('button', { name: /^1 recorded since/ }).waitFor();
  await page.locator('a.skip').first().focus();
  const row = page.locator('tbody a:focus');
  for (let steps = 1; (await row.count()) === 0; steps++) {
    assert.ok(steps < 15, await page.locator(':focus').innerText());
    await page.keyboard.press('Tab');
  }
});

const listen = (page: Page) =>
  page.evaluate(() => {
    const region = document.getElementById('announcements') as HTMLElement;
    const spoken: { text: string | null; atMs: number }[] = [];
    new MutationObserver(() => spoken.push({ text: region.textContent, atMs: performance.now() })).observe(
      region,
      { childList: true, characterData: true, subtree: true },
    );
    Object.assign(window, { spoken });
  });

const spokenOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { spoken: readonly { text: string; atMs: number }[] }).spoken);

test('after a filter is applied, only the number of matches is announced, politely', async (window) => {
  const { page } = window;
  await openList(window);
  await settled(page);
  await listen(page);
  await choose(page, /^Status/, 'Completed');
  await eventually(async () => (await spokenOf(page)).length > 0, true);
  await settled(page);
  const shown = await page.getByText(/^\d+ transactions, at/).innerText();
  const text = `${shown.split(',')[0]}, page 1`;
  assert.match(text, /^\d+ transactions, page 1$/);
  assert.deepEqual(
    (await spokenOf(page)).map((one) => one.text),
    [text],
  );
  await page.getByRole('status').getByText(text, { exact: true }).waitFor({ state: 'attached' });
});

test('changes that others record are announced, at most once in some seconds, and then less often', async (window) => {
  const { page, account, app } = window;
  await openList(window);
  await settled(page);
  await page.getByText('Live', { exact: true }).waitFor();
  await listen(page);
  const createdAtMs = app.clock.now();
  const spoken = () => spokenOf(page);
  for (const count of [1, 2, 3, 4]) {
    await record(app.store, [transaction(account, `live${count}`, { createdAtMs })]);
    await page.getByRole('button', { name: new RegExp(`^${count} recorded since`) }).waitFor();
    if (count === 2) continue;
    const text = new RegExp(`^${count} recorded since [\\d:]+$`);
    await eventually(async () => text.test((await spoken()).at(-1)?.text ?? ''), true);
  }
  const times = (await spoken()).map(({ atMs }) => atMs);
  assert.equal(times.length, 3, JSON.stringify(await spoken()));
  for (const [index, atMs] of times.slice(1).entries())
    assert.ok(atMs - (times[index] as number) >= PAUSE_MS * 2 ** index - 100, JSON.stringify(times));
});
