import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '../../src/ledger/changes/change.ts';
import { changeLister } from '../../src/ledger/changes/sqlite/list-changes.ts';
import { csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS, until } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { outcomeOf, run, start } from '../rig/service/process.ts';

const ROWS = 12_000;
const KILLED_ROWS = 5000;
const KILLS = inTier({ short: 8, long: 24 });

const ACCOUNTS = ['store-1', 'store-2'];
const CSV = sampleCsv(ROWS);

const orderOf = (csv: string) =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',') as string[])
    .map((fields) => ({ place: `${fields[0]} ${fields[7]} ${fields[1]}`, reference: fields[1] as string }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
    .map(({ reference }) => reference);

const ORDER = orderOf(CSV);

async function imports(t: TestContext, csv = CSV, order = ORDER) {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path };
  writeFileSync(`${folder.path}/all.csv`, csv);
  assert.equal((await run(['migrate'], options)).status, 0);
  const db = new DatabaseSync(`${folder.path}/data/transactions.db`, { timeout: GIVE_UP_MS });
  t.after(() => db.close());
  const count = db.prepare('SELECT count(*) AS rows FROM transactions');
  const rows = () => Number(count.get()?.['rows']);
  const list = changeLister(db);
  const readFeeds = (): Change[][] =>
    ACCOUNTS.map((account) => {
      const { changes, headSequence } = list({ account, after: 0, limit: 1_000_000 });
      assert.deepEqual(
        changes.map(({ sequence }) => sequence),
        Array.from({ length: headSequence }, (_, index) => index + 1),
      );
      return changes;
    });
  const textOf = (feed: readonly Change[]) => feed.map((change) => `${JSON.stringify(change)}\n`).join('');
  let known = ACCOUNTS.map(() => '');
  return {
    options,
    rows,
    clear: () => {
      db.exec('BEGIN; DELETE FROM transactions; DELETE FROM accounts; COMMIT');
      known = ACCOUNTS.map(() => '');
    },
    checkRecorded: (): number => {
      const feeds = readFeeds();
      for (const [index, feed] of feeds.entries())
        assert.ok(textOf(feed).startsWith(known[index] ?? ''), 'a change that was read is another one now');
      known = feeds.map(textOf);
      const recorded = feeds.flat();
      assert.deepEqual(
        recorded.map(({ transaction }) => transaction.reference),
        order.slice(0, recorded.length),
      );
      assert.ok(recorded.every(({ previousStatus }) => previousStatus === null));
      assert.equal(rows(), recorded.length);
      assert.equal(db.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
      return recorded.length;
    },
    endAt: async (
      target: number,
      signal: NodeJS.Signals,
      { afterMs = 0, nodeOptions = [] as string[] } = {},
    ) => {
      const child = start(['import', 'all.csv'], { ...options, nodeOptions });
      const outcome = outcomeOf(child);
      await until(() => child.exitCode !== null || rows() >= target);
      if (afterMs > 0) await delay(afterMs);
      const feeds = readFeeds();
      known = feeds.map(textOf);
      child.kill(signal);
      const { stdout, stderr, status } = await outcome;
      return status === 0 ? null : { stdout, stderr, status, changes: feeds.flat().length };
    },
  };
}

const random = new Random(seed);
const between = (least: number, most: number) => random.integer(least, Math.max(least, Math.floor(most)));

test(`an import killed ${KILLS} times at random moments and repeated records every transaction once, with one number`, async (t) => {
  const csv = sampleCsv(KILLED_ROWS);
  const { options, clear, rows, checkRecorded, endAt } = await imports(t, csv, orderOf(csv));
  let killed = 0;
  let parts = 0;
  let changes = 0;
  for (let tries = 0; killed < KILLS; tries++) {
    assert.ok(tries < 3 * KILLS, 'most imports end before they are killed');
    const before = rows();
    const ended = random.chance(0.2)
      ? await endAt(before, 'SIGKILL', { afterMs: random.integer(0, 500) })
      : await endAt(between(before + 1, before + (KILLED_ROWS - before) / 3), 'SIGKILL', {
          afterMs: random.integer(0, 5),
        });
    const recorded = checkRecorded();
    assert.ok(recorded >= before);
    if (ended !== null) killed++;
    changes += ended?.changes ?? 0;
    if (ended !== null && recorded > before && recorded < KILLED_ROWS) parts++;
    if (recorded === KILLED_ROWS) clear();
  }
  t.diagnostic(`${killed} kills, ${parts} of them left a part, ${changes} changes read before`);
  assert.ok(parts > KILLS / 10 && changes > KILLS);
  const before = rows();
  const { status, stdout } = await run(['import', 'all.csv'], options);
  assert.equal(status, 0);
  const number = (value: number) => value.toLocaleString('en');
  assert.equal(
    stdout,
    `Imported 5,000 lines: ${number(KILLED_ROWS - before)} new, 0 changed, ${number(before)} unchanged, 0 faulty.\n`,
  );
  assert.equal(checkRecorded(), KILLED_ROWS);
});

test('SIGINT, sent twice as npm sends it, ends an import after the current transaction; it says what is recorded and what to do', async (t) => {
  const twice = `process.once('SIGINT', () => setImmediate(() => process.kill(process.pid, 'SIGINT')))`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(twice)}`];
  const { options, clear, rows, checkRecorded, endAt } = await imports(t);
  let ended: Awaited<ReturnType<typeof endAt>> = null;
  for (let tries = 0; ended === null; tries++) {
    assert.ok(tries < 10, 'the import ends before it is stopped');
    clear();
    ended = await endAt(1, 'SIGINT', { nodeOptions });
  }
  const recorded = checkRecorded();
  assert.ok(recorded > 0 && recorded < ROWS);
  assert.equal(ended.status, 1);
  assert.equal(ended.stdout, '');
  const noted = 'SIGINT: the import ends after the current transaction. A second signal ends it at once.';
  assert.ok(ended.stderr.split('\n').includes(noted), ended.stderr);
  const [account, createdAt] = [
    ORDER[recorded - 1]?.split('.')[0],
    CSV.split('\n')
      .find((line) => line.includes(`,${ORDER[recorded - 1]},`))
      ?.split(',')[7],
  ];
  assert.equal(
    ended.stderr.trim().split('\n').at(-1),
    `Stopped by SIGINT. ${recorded.toLocaleString('en')} of 12,000 transactions are recorded, up to ${createdAt} of account "${account}". Import the file again to record the rest.`,
  );
  assert.equal((await run(['import', 'all.csv'], options)).status, 0);
  assert.equal(rows(), ROWS);
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
