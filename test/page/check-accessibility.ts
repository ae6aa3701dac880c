import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { eventually, settled } from '../rig/page/browser.ts';
import { someInTier } from '../rig/run/tier.ts';

export const WIDE = { width: 1280, height: 800 };
/** A window of 1280 px at 400 % is as narrow. */
export const NARROW = { width: 320, height: 640 };

/** The window sizes and colour schemes that axe checks: one with each commit, all in the long tier. */
const VIEWS = [WIDE, NARROW].flatMap((size) => [
  { size, colorScheme: 'light' as const },
  { size, colorScheme: 'dark' as const },
]);

/** The violations of WCAG 2.2 AA and of good practice that axe finds. */
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

/** The elements that are wider than the window, so that a reader would have to scroll sideways. */
export const tooWide = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement;
    const parts = [...document.querySelectorAll('body *')].filter(
      (part) => part.getBoundingClientRect().right > root.clientWidth + 1,
    );
    return root.scrollWidth > root.clientWidth ? parts.map((part) => part.outerHTML.slice(0, 80)) : [];
  });

/**
 * Fails if axe finds a fault in what a window shows, at any width and in both colour schemes, or if the
 * window scrolls sideways.
 */
export async function checkAccessibility(page: Page, isLoading = false): Promise<void> {
  const before = page.viewportSize();
  // Content is dimmed while it loads.
  if (!isLoading) await settled(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    await eventually(() => tooWide(page), [], `${size.width} px`);
  }
  for (const { size, colorScheme } of someInTier(VIEWS, 1)) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsOf(page), [], `${size.width} px, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before !== null) await page.setViewportSize(before);
}
