import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/**
 * Creates a temporary folder, and returns its path and a function that removes it. It is removed after the
 * test, if there is one.
 */
export function temporaryFolder(t?: TestContext): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'transactions-test-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  t?.after(remove);
  return { path, remove };
}
