import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { record, transaction } from '../rig/data/transactions.ts';
import { choose, eventually, pageTests, settled } from '../rig/page/browser.ts';
import { openList, pageTransactions } from '../rig/page/page-transactions.ts';

const both = { transactions: pageTransactions, scopes: ['read', 'webhooks'] } as const;
const { test } = pageTests(both);
const PAUSE_MS = 5000;

interface Accessible {
  nodeId: string;
  role: string;
  name: string;
  live: string | undefined;
  childIds: readonly string[];
}

async function treeOf(page: Page): Promise<ReadonlyMap<string, Accessible>> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return new Map(
    nodes
      .filter(({ ignored }) => !ignored)
      .map(({ nodeId, role, name, properties = [], childIds = [] }) => [
        nodeId,
        {
          nodeId,
          role: String(role?.value),
          name: String(name?.value ?? ''),
          live: properties.find((one) => one.name === 'live')?.value.value,
          childIds,
        },
      ]),
  );
}

const namesOf = async (page: Page, role: string) =>
  [...(await treeOf(page)).values()].filter((one) => one.role === role).map(({ name }) => name);

async function spokenControls(page: Page): Promise<string[]> {
  const tree = await treeOf(page);
  const within = ({ childIds }: Accessible): Accessible[] =>
    childIds.flatMap((id) => {
      const child = tree.get(id);
      return child === undefined ? [] : [child, ...within(child)];
    });
  return [...tree.values()]
    .filter(({ role, live }) => role !== 'alert' && (live === 'polite' || live === 'assertive'))
    .flatMap(within)
    .filter(({ role }) => /^(combobox|button|textbox|checkbox|radio|link|listbox)$/i.test(role))
    .map(({ role, name }) => `${role} ${name}`);
}

test('a count is announced with a space before its status, and no announcement contains a control', async (window) => {
  const { page } = window;
  await openList(window);
  await settled(page);
  await page.getByRole('button', { name: 'All sums' }).click();
  const links = await namesOf(page, 'link');
  assert.ok(
    links.some((name) => /^\d+ Completed in EUR$/.test(name)),
    links.join('\n'),
  );
  assert.ok((await namesOf(page, 'StaticText')).includes(' Completed in EUR'));
  assert.deepEqual(await spokenControls(page), []);
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
  const tree = [...(await treeOf(page)).values()];
  const region = tree.find(({ role, childIds }) => role === 'status' && childIds.length > 0);
  assert.equal(region?.live, 'polite');
  assert.ok(tree.some(({ role, name }) => role === 'StaticText' && name === text));
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
