import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageJson from '#package' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');

/** The paths of a pattern with at most one `{a,b}`, whether they exist or not. */
function pathsOf(pattern: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names === '' ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
}

test('every file whose coverage must be whole, and every file that is mutated, exists', () => {
  const included = packageJson.scripts.coverage.matchAll(/--test-coverage-include=(?:"([^"]+)"|(\S+))/g);
  const covered = [...included].flatMap(([, quoted, plain]) => pathsOf(quoted ?? plain ?? ''));
  const stryker = JSON.parse(readFileSync(join(ROOT, 'tools/mutation/stryker.config.json'), 'utf8'));
  const mutated: string[] = [...stryker.mutate, ...stryker.tap.testFiles];
  assert.ok(covered.length >= 10 && mutated.length >= 10);
  const missing = [...covered, ...mutated].filter((path) => globSync(path, { cwd: ROOT }).length === 0);
  assert.deepEqual(missing, []);
});
