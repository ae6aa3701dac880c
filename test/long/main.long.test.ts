import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { PARTS } from './parts.ts';

const COMMAND = fileURLToPath(new URL('./main.ts', import.meta.url));

const testLong = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { timeout: 600_000 });

test('test:long runs every part in full, and writes a table of promises', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/long-run.md`;
  // The part of all files has a test of its own.
  const names = PARTS.map(({ name }) => name).filter((name) => name !== 'files');
  const { stdout } = await testLong(
    '--write',
    path,
    '--full',
    '--only',
    names.join(','),
    '--seeds',
    '5',
    '--walks',
    '64',
    '--schedules',
    '100',
    '--questions',
    '200',
    '--requests',
    '500',
    '--bytes',
    '500',
    '--kills',
    '2',
    '--waiting',
    '500',
    '--servers',
    '1',
    '--repeats',
    '2',
    '--files',
    'src/values/amount.test.ts',
    '--soak-minutes',
    '0.02',
  );
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  assert.equal(rows.length, names.length);
  for (const row of rows) {
    assert.match(row, /^\| [^|]+ \| [^|]*\d[^|]* \| 0 \| \d{4}-\d\d-\d\d, [0-9a-f]{7,} \|$/);
    assert.ok(stdout.includes(row));
  }
  assert.match(stdout, /\| 5 simulated histories/);
  assert.match(stdout, /500 changes that waited, 1,000 deliveries to two endpoints/);
  assert.match(stdout, /2 runs of 1 file with other random values each, 16 tests passed/);
  assert.match(stdout, /descriptors \d+ to \d+, p99 [\d.]+ to [\d.]+ ms/);
});
