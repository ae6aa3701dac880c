import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** A file that the browser saves after an action; a name is the click on the button of that name. */
export async function savedFile(
  page: Page,
  action: string | (() => unknown),
): Promise<{ name: string; bytes: Buffer }> {
  const act =
    typeof action === 'string'
      ? () => page.getByRole('button', { name: action, exact: true }).click()
      : action;
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
