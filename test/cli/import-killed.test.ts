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
/** As parts of the time that a whole import takes here: kills fall before, into and behind the merge. */
const KILLED_AT = { first: 0.2, last: 1.1 };

/** Looks at the file from outside of the service, and takes the rows out for the next import. */
function takeRows(path: string): { rows: number; integrity: string } {
  const db = new DatabaseSync(path, { timeout: 5000 });
  const { rows } = db.prepare('SELECT count(*) AS rows FROM transactions').get() as { rows: number };
  const { integrity } = db
    .prepare('SELECT integrity_check AS integrity FROM pragma_integrity_check')
    .get() as {
    integrity: string;
  };
  db.exec('DELETE FROM transactions');
  db.close();
  return { rows, integrity };
}

test(`an import that is killed at ${KILLS} random moments leaves all of its rows or none`, async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const options = { cwd: folder.path };
  const path = `${folder.path}/data/transactions.db`;
  const csv = sampleCsv(ROWS);
  writeFileSync(`${folder.path}/all.csv`, csv);
  const served = await startServe(options);
  t.after(() => served.child.kill('SIGKILL'));
  const key = await createKey('store-1', options);

  const beganAtMs = performance.now();
  const whole = await run(['import', 'all.csv'], options);
  const wholeMs = performance.now() - beganAtMs;
  assert.match(whole.stdout, /^Imported 12,000 lines: 12,000 new/);
  takeRows(path);

  const outcomes = { nothing: 0, everything: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const child = start(['import', 'all.csv'], options);
    const exited = once(child, 'exit');
    // One kill in each equal part of the time, at random in it: none of the parts is left out.
    const at = (kill + Math.random()) / KILLS;
    const delayMs = wholeMs * (KILLED_AT.first + at * (KILLED_AT.last - KILLED_AT.first));
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    const [status] = await exited;
    clearTimeout(timer);

    // What the service shows is what the file holds.
    const shown = (await walkList(served.url, key, 'status=pending')).length > 0;
    const { rows, integrity } = takeRows(path);
    assert.equal(integrity, 'ok');
    assert.ok(rows === 0 || rows === ROWS, `killed after ${delayMs} ms, it left ${rows} rows`);
    if (status === 0) assert.equal(rows, ROWS, 'an acknowledged import is gone');
    assert.equal(shown, rows === ROWS);
    outcomes[rows === 0 ? 'nothing' : 'everything']++;
  }
  t.diagnostic(`${outcomes.nothing} left nothing, ${outcomes.everything} were complete`);
  assert.ok(outcomes.nothing > 0, 'no kill came before the end: the test shows nothing');

  const again = await run(['import', 'all.csv'], options);
  assert.equal(again.status, 0);
  assert.match(again.stdout, /^Imported 12,000 lines: 12,000 new/);
  await served.stop();
});
