import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { PARTS } from './parts.ts';
import { addRun, documentOf, rowOf } from './table.ts';

const COMMAND = fileURLToPath(new URL('./main.ts', import.meta.url));
/** The part of all files runs this one, and changing files takes long. */
const NAMES = PARTS.map(({ name }) => name).filter((name) => name !== 'files' && name !== 'mutation');
const RUN = inTier({ short: ['fuzz'], long: NAMES });

const testLong = (...args: string[]) => promisify(execFile)(process.execPath, [COMMAND, ...args]);

test('test:long refuses an unknown part, and lists the parts', async () => {
  await assert.rejects(
    testLong('--only', 'sope'),
    /there is no part sope; the parts are files, faults, .*soak/,
  );
});

test('test:long runs parts with seeds that no run before had, and writes a table', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/results.md`;
  const run = () => testLong('--write', path, '--minutes', String(0.1 * RUN.length), '--only', RUN.join(','));
  const counts = () => RUN.map((name) => rowOf(readFileSync(path, 'utf8'), { name })?.count ?? 0);
  assert.match((await run()).stdout, /from seed 1,/);
  const first = counts();
  assert.ok(first.every((count) => count > 0));
  assert.match((await run()).stdout, new RegExp(`${RUN[0]}, from seed ${(first[0] ?? 0) + 1},`));
  assert.ok(counts().every((count, index) => count > (first[index] ?? 0)));
});

test('a run that breaks the promise of its part counts nothing, and the table says so', () => {
  const run = { day: '2026-03-01', commit: 'abc1234' };
  const part = PARTS[0] as (typeof PARTS)[number];
  const passed = addRun(undefined, { ...run, result: { count: 1200 } });
  const broken = addRun(passed, { ...run, result: undefined });
  for (const row of [passed, broken])
    assert.deepEqual(rowOf(documentOf(PARTS, new Map([[part.name, row]]), 'a machine'), part), row);
  assert.deepEqual([broken.count, broken.figures], [1200, '**broken**']);
});
