import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS, until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { outcomeOf, run, start } from '../rig/service/process.ts';

const ROWS = 12_000;
const CSV = sampleCsv(ROWS);

const ORDER = CSV.trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([account = '', reference = '', , , , , , createdAt = '']) => ({ account, createdAt, reference }))
  .sort((one, other) => (Object.values(one).join(' ') < Object.values(other).join(' ') ? -1 : 1));

test('SIGINT, sent twice as npm sends it, ends an import after the current transaction; it says what is recorded and what to do', async (t) => {
  const twice = `process.once('SIGINT', () => setImmediate(() => process.kill(process.pid, 'SIGINT')))`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(twice)}`];
  const options = { cwd: temporaryFolder(t).path };
  writeFileSync(`${options.cwd}/all.csv`, CSV);
  assert.equal((await run(['migrate'], options)).status, 0);
  const db = new DatabaseSync(`${options.cwd}/data/transactions.db`, { timeout: GIVE_UP_MS });
  t.after(() => db.close());
  const rows = db.prepare('SELECT reference FROM transactions ORDER BY account, created_at_ms, reference');
  const child = start(['import', 'all.csv'], { ...options, nodeOptions });
  const outcome = outcomeOf(child);
  await until(() => child.exitCode !== null || rows.get() !== undefined);
  child.kill('SIGINT');
  const { status, stdout, stderr } = await outcome;
  const recorded = rows.all().map(({ reference }) => reference);
  assert.ok(recorded.length < ROWS, 'the import ended before it was stopped');
  assert.deepEqual(
    recorded,
    ORDER.slice(0, recorded.length).map(({ reference }) => reference),
  );
  assert.deepEqual([status, stdout], [1, '']);
  const noted = 'SIGINT: the import ends after the current transaction. A second signal ends it at once.';
  assert.ok(stderr.split('\n').includes(noted), stderr);
  const { account, createdAt } = ORDER[recorded.length - 1] ?? assert.fail('nothing is recorded');
  assert.equal(
    stderr.trim().split('\n').at(-1),
    `Stopped by SIGINT. ${recorded.length.toLocaleString('en')} of 12,000 transactions are recorded, up to ${createdAt} of account "${account}". Import the file again to record the rest.`,
  );
  assert.equal((await run(['import', 'all.csv'], options)).status, 0);
  assert.equal(rows.all().length, ROWS);
});

test('an import killed during its check leaves no row and no file', async (t) => {
  const folder = temporaryFolder(t);
  const temporary = `${folder.path}/temporary`;
  mkdirSync(temporary);
  const child = start(['import', '-', '--format', 'csv'], {
    cwd: folder.path,
    env: { TMPDIR: temporary, SQLITE_TMPDIR: temporary },
  });
  const exited = once(child, 'exit');
  child.stdin?.on('error', () => {});
  child.stdin?.write(
    csvFile(
      ...Array.from({ length: 40_000 }, (_, index) =>
        csvLine({ reference: `r${index}`, merchantReference: 'm'.repeat(255) }),
      ),
      csvLine({ amount: 'x' }),
    ),
  );
  await once(child.stderr as NodeJS.ReadableStream, 'data');
  child.kill('SIGKILL');
  await exited;
  assert.deepEqual(readdirSync(temporary), []);
  assert.equal(existsSync(`${folder.path}/data`), false);
});
