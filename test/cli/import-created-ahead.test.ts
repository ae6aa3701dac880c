import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('an import of transactions that are created ahead of the clock', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const csv = (text: string, args: string[] = [], env: Record<string, string> = {}) =>
    run(['import', '-', '--format', 'csv', ...args], { cwd: folder.path, env, stdin: text });
  const refusedLines = (stderr: string) =>
    [...stderr.matchAll(/^line (\d+), column createdAt: is too far ahead; the latest (?<time>.*)$/gm)].map(
      ([, line]) => Number(line),
    );

  test('refuses new ones of more than 24 hours ahead, all by the same time, and CREATED_AT_AHEAD raises that', async () => {
    const file = csvFile(
      csvLine({ reference: 'now', createdAt: inHours(0) }),
      csvLine({ reference: 'soon', createdAt: inHours(23) }),
      csvLine({ reference: 'late', createdAt: inHours(25 + 1) }),
      csvLine({ reference: 'never', createdAt: '9999-12-31T00:00:00.000Z' }),
    );
    const refused = await csv(file);
    assert.equal(refused.status, 1);
    assert.deepEqual(refusedLines(refused.stderr), [4, 5]);
    const latest = [...refused.stderr.matchAll(/can be recorded now is (\S+), and/g)].map(([, time]) => time);
    assert.equal(new Set(latest).size, 1);
    const raised = await csv(file, ['--skip-invalid'], { CREATED_AT_AHEAD: '172800' });
    assert.equal(raised.stdout, 'Imported 4 lines: 3 new, 0 changed, 0 unchanged, 1 faulty.\n');
  });

  test('repeats and completes recorded ones, as after a clock that was set back', async () => {
    const createdAt = inHours(40);
    const pending = (reference: string) => csvLine({ reference, createdAt, status: 'pending', paidAt: '' });
    const raised = { CREATED_AT_AHEAD: '172800' };
    const first = await csv(csvFile(pending('a'), pending('b')), [], raised);
    assert.equal(first.stdout, 'Imported 2 lines: 2 new, 0 changed, 0 unchanged, 0 faulty.\n');

    const again = csvFile(pending('a'), csvLine({ reference: 'b', createdAt }), pending('c'));
    const refused = await csv(again);
    assert.deepEqual(refusedLines(refused.stderr), [4]);
    const { stdout } = await csv(again, ['--skip-invalid']);
    assert.equal(stdout, 'Imported 3 lines: 0 new, 1 changed, 1 unchanged, 1 faulty.\n');
  });

  test('a refused line without a reference gets none', async () => {
    const { stderr } = await csv(csvFile(csvLine({ reference: '', createdAt: inHours(40) })));
    assert.deepEqual(refusedLines(stderr), [2]);
    assert.doesNotMatch(stderr, /had no reference/);
  });
});
