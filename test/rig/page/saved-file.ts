import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

export const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true });

export async function pressSave(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await exportButton(page).or(button).first().waitFor();
  if (!(await button.isVisible())) await exportButton(page).press('Enter');
  await button.press('Enter');
}

export async function savedFile(page: Page, action: string | (() => unknown)) {
  const act = typeof action === 'string' ? () => pressSave(page, action) : action;
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
