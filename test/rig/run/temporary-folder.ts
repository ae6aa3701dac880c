import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function temporaryFolder(t?: TestContext): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'transactions-test-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  t?.after(remove);
  return { path, remove };
}
