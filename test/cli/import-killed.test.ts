import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sampleCsv } from '../rig/csv.ts';
import { createKey, run, start, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const KILLS = 20;
const ROWS = 12_000;
/** An import of so many rows takes about so long: kills fall before, into and behind the merge. */
const SPREAD_MS = 1200;

test(`an import that is killed at ${KILLS} random moments leaves all of its rows or none`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const options = { cwd: folder.path };
  const csv = sampleCsv(ROWS);
  writeFileSync(`${folder.path}/all.csv`, csv);
  const served = await startServe(options);
  t.after(() => served.child.kill('SIGKILL'));
  const key = await createKey('store-1', options);

  const outcomes = { nothing: 0, everything: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(['import', 'all.csv'], options);
    const exited = once(child, 'exit');
    const delayMs = 100 + Math.random() * SPREAD_MS;
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    const [status] = await exited;
    clearTimeout(timer);

    const db = new DatabaseSync(`${folder.path}/data/transactions.db`, { timeout: 5000 });
    const { rows } = db.prepare('SELECT count(*) AS rows FROM transactions').get() as { rows: number };
    const { integrity_check: integrity } = db.prepare('PRAGMA integrity_check').get() as {
      integrity_check: string;
    };
    assert.equal(integrity, 'ok');
    assert.ok(rows === 0 || rows === ROWS, `killed after ${delayMs} ms, it left ${rows} rows`);
    if (status === 0) assert.equal(rows, ROWS, 'an acknowledged import is gone');
    // What the service shows is what the file holds.
    assert.equal((await walkList(served.url, key, 'status=pending')).length > 0, rows === ROWS);
    outcomes[rows === 0 ? 'nothing' : 'everything']++;
    db.exec('DELETE FROM transactions');
    db.close();
  }
  t.diagnostic(`${outcomes.nothing} left nothing, ${outcomes.everything} were complete`);
  assert.ok(outcomes.nothing > 0, 'no kill came before the end: the test shows nothing');

  const { status, stdout } = await run(['import', 'all.csv'], options);
  assert.equal(status, 0);
  assert.match(stdout, /^Imported 12,000 lines: 12,000 new/);
  await served.stop();
});
