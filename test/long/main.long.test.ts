import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { PARTS } from './parts.ts';

const COMMAND = fileURLToPath(new URL('./main.ts', import.meta.url));

const testLong = (...args: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, ...args], { timeout: 600_000 });

/** Small ones. */
const COUNTS = {
  faults: 1,
  simulation: 5,
  walks: 32,
  'walks-postgres': 32,
  schedules: 96,
  'schedules-postgres': 4,
  totals: 100,
  'totals-postgres': 100,
  fuzz: 500,
  bytes: 500,
  kills: 2,
  'database-kills': 1,
  failover: 1,
  'failover-synchronous': 1,
  conformance: 1,
  'webhook-kills': 2,
  outage: 500,
  'outage-postgres': 500,
  'killed-files': 2,
  restores: 2,
  soak: 0.02,
};

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
    '--counts',
    Object.entries(COUNTS)
      .map(([name, count]) => `${name}=${count}`)
      .join(','),
    '--files',
    'src/values/amount.test.ts',
  );
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  assert.equal(rows.length, names.length);
  for (const row of rows) {
    assert.match(row, /^\| [^|]+ \| \d[^|]* \| [^|]+ \| [^|]+ \| 0 \| \d{4}-\d\d-\d\d, [0-9a-f]{7,} \|$/);
    assert.ok(stdout.includes(row));
  }
  assert.match(stdout, /\| 5 of 1,000,000 simulated histories/);
  assert.match(stdout, /500 of 100,000 changes that waited, 1,000 deliveries to two endpoints/);
  assert.match(stdout, /2 of 50 runs with other random values each, 16 tests passed \| 1 to 2 \| 1 file/);
  assert.match(stdout, /descriptors \d+ to \d+, p99 [\d.]+ to [\d.]+ ms/);
});
