import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { concernedTests } from '../rig/run/concerned-tests.ts';

const tests = globSync('{test,src,web}/**/*.test.ts', {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
});
const nearest = (count: number, ...changed: string[]) => concernedTests(tests, changed).slice(0, count);

test('a change concerns the unit test beside it first, then the tests with its words, and no test that does not use it', () => {
  assert.equal(nearest(1, 'src/values/amount.ts')[0], 'src/values/amount.test.ts');
  assert.ok(nearest(10, 'src/ledger/exports/run-export.ts').includes('test/http/exports-cut.test.ts'));
  assert.ok(!concernedTests(tests, ['src/webhooks/send.ts']).includes('src/values/amount.test.ts'));
});

test('a change concerns tests that start it as a process, as a thread or in a browser', () => {
  assert.ok(nearest(5, 'web/parts/filter-form.tsx').every((file) => file.startsWith('test/page/')));
  assert.ok(nearest(10, 'src/cli/operator/import.ts').some((file) => file.startsWith('test/cli/')));
  assert.ok(
    concernedTests(tests, ['src/store/writing-thread-worker.ts']).includes('test/http/cursors.test.ts'),
  );
});

test('a document concerns no test but those of the project, which always run', () => {
  assert.deepEqual(concernedTests(tests, ['docs/operating.md']), []);
});
