import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { csvFile, csvLine, expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { BINARY, createKey, importCsv, run, startServe, walkList } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('while a service uses the same database, a walk only grows, without duplicates, to every row', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const first = csvLine({ reference: 'first' });
  await importCsv(csvFile(first), { cwd });
  const served = await startServe({ cwd }, t);
  const key = await createKey('store-1', { cwd });
  const lines = inTier({ short: 10_000, long: 40_000 });
  const big = sampleCsv(lines);
  let isOver = false;
  const outcome = run(['import', '-', '--format', 'csv'], { cwd, stdin: big }).finally(() => {
    isOver = true;
  });
  const counts: number[] = [];
  while (!isOver) {
    const rows = await walkList(served.url, key, 'status=pending');
    assert.equal(new Set(rows.map(({ reference }) => reference)).size, rows.length);
    counts.push(rows.length);
  }
  assert.ok((await outcome).stdout.includes(`${lines.toLocaleString('en')} new`));
  assert.deepEqual(
    counts,
    counts.toSorted((left, right) => left - right),
  );
  assert.deepEqual(await walkList(served.url, key), expectedRows(`${big}${first}\n`, 'store-1'));
  // The end of the import truncates the write-ahead log. If a reader prevents that, the next recording
  // restarts the log and truncates it.
  assert.ok(statSync(`${cwd}/data/transactions.db-wal`).size <= 16 * 1024 * 1024);
});

test('a closed output does not crash the import', (t) => {
  const { path: cwd } = temporaryFolder(t);
  const lines = Array.from({ length: 5000 }, (_, index) => csvLine({ reference: `r${index}`, amount: 'x' }));
  writeFileSync(`${cwd}/bad.csv`, csvFile(...lines));
  const command = `"${process.execPath}" "${BINARY}" import bad.csv 2>&1 | head -n 2; echo done`;
  const { stdout } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  assert.match(stdout, /^line 2, column amount: .*\nline 3, column amount: .*\ndone\n$/);
});
