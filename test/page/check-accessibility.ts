import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { countLoading, eventually, settled } from '../rig/page/browser.ts';
import { someInTier } from '../rig/run/tier.ts';

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 320, height: 640 };

const VIEWS = [WIDE, NARROW].flatMap((size) => [
  { size, colorScheme: 'light' as const },
  { size, colorScheme: 'dark' as const },
]);

export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    });
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.join(' ')}`);
}

/** While a page loads, its sums are faded and have too little contrast, so the page is checked again. */
async function violationsWhenSettled(page: Page): Promise<string[]> {
  for (;;) {
    await settled(page);
    const found = await violationsOf(page);
    if (found.length === 0 || (await countLoading(page)) === 0) return found;
  }
}

export const tooWide = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    const parts = [...document.querySelectorAll('body *')].filter(
      (part) => part.getBoundingClientRect().right > root.clientWidth + 1,
    );
    return root.scrollWidth > root.clientWidth ? parts.map((part) => part.outerHTML.slice(0, 80)) : [];
  });

export async function checkWidths(page: Page): Promise<void> {
  for (const width of [1280, 1201, 1024, 900, 600, 360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await eventually(() => tooWide(page), [], `${width} px`);
  }
}

export async function tabTo(page: Page, label: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 100; steps++) {
    await page.keyboard.press('Tab');
    const focus = page.locator(':focus');
    if ((await focus.count()) === 0) continue;
    const names = await focus.evaluate((one) => [
      one.getAttribute('aria-label'),
      (one as HTMLInputElement).labels?.[0]?.textContent,
      one.textContent,
    ]);
    if (!names.some((one) => (typeof label === 'string' ? one?.trim() === label : label.test(one ?? ''))))
      continue;
    const isSeen = await focus.evaluate((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && outlineWidth !== '0px';
    });
    assert.ok(isSeen, `the focus on ${label} is not seen`);
    return;
  }
  assert.fail(`${label} is not reached by the keyboard`);
}

export async function checkTable(page: Page, table: Locator, columns: number): Promise<void> {
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await eventually(() => table.getByRole('columnheader').count(), columns);
    const [, ...rows] = await table.getByRole('row').all();
    assert.ok(rows.length === 10 || rows.length === 20, `${rows.length} rows`);
    for (const row of rows)
      await eventually(() => row.getByRole('cell').or(row.getByRole('rowheader')).count(), columns);
  }
}

export async function checkNames(buttons: Locator): Promise<void> {
  const names = await buttons.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
  assert.ok(names.length > 0);
  assert.equal(new Set(names).size, names.length);
}

export async function checkAccessibility(page: Page, isLoading = false): Promise<void> {
  const before = page.viewportSize();
  if (!isLoading) await settled(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await eventually(() => tooWide(page), [], `${size.width} px`);
  }
  for (const { size, colorScheme } of someInTier(VIEWS, 1)) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const found = isLoading ? await violationsOf(page) : await violationsWhenSettled(page);
    assert.deepEqual(found, [], `${size.width} px, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before !== null) await page.setViewportSize(before);
}
