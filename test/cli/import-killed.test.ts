import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sampleCsv } from '../rig/csv.ts';
import { createKey, run, type Served, start, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const KILLS = 180;
const ROWS = 4000;
/** As parts of the time that a whole import takes here: kills fall before, into and behind the merge. */
const KILLED_AT = { first: 0.2, last: 1.1 };
/** Equal parts of that time, one kill in each in turn: none of them is left out. */
const PARTS = 20;

interface Outcomes {
  /** Killed, and nothing or everything is there. */
  nothing: number;
  everything: number;
  /** At its end before it could be killed. */
  done: number;
}

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

/** Kills one import after the other beside a service on the same file, at the given parts of the time of a whole one. */
async function killImports(takeMoment: () => number | null, outcomes: Outcomes): Promise<void> {
  const folder = temporaryFolder();
  const options = { cwd: folder.path };
  writeFileSync(`${folder.path}/all.csv`, sampleCsv(ROWS));
  const key = await createKey('store-1', options);
  const served = await startServe(options);
  try {
    let wholeMs = await importWhole(options);
    takeRows(`${folder.path}/data/transactions.db`);
    for (let moment = takeMoment(); moment !== null; moment = takeMoment()) {
      const afterMs = moment * wholeMs;
      const { tookMs, status } = await killImport(afterMs, { served, key, folder: folder.path, outcomes });
      // What a whole one takes changes with what else the machine does.
      if (status === 0) wholeMs = Math.min(wholeMs, tookMs);
      else wholeMs = Math.max(wholeMs, afterMs);
    }
    await importWhole(options);
  } finally {
    await served.stop();
    folder.remove();
  }
}

async function importWhole(options: { cwd: string }): Promise<number> {
  const beganAtMs = performance.now();
  const { status, stdout } = await run(['import', 'all.csv'], options);
  assert.equal(status, 0);
  assert.match(stdout, /^Imported 4,000 lines: 4,000 new/);
  return performance.now() - beganAtMs;
}

async function killImport(
  afterMs: number,
  { served, key, folder, outcomes }: { served: Served; key: string; folder: string; outcomes: Outcomes },
): Promise<{ tookMs: number; status: number | null }> {
  const beganAtMs = performance.now();
  const child = start(['import', 'all.csv'], { cwd: folder });
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const [status] = await exited;
  clearTimeout(timer);
  const tookMs = performance.now() - beganAtMs;

  // What the service shows is what the file holds.
  const shown = (await walkList(served.url, key, 'status=pending')).length > 0;
  const { rows, integrity } = takeRows(`${folder}/data/transactions.db`);
  assert.equal(integrity, 'ok');
  assert.ok(rows === 0 || rows === ROWS, `killed after ${afterMs} ms, it left ${rows} rows`);
  assert.equal(shown, rows === ROWS);
  if (status === 0) assert.equal(rows, ROWS, 'an acknowledged import is gone');
  outcomes[status === 0 ? 'done' : rows === 0 ? 'nothing' : 'everything']++;
  return { tookMs, status };
}

test(`an import that is killed at ${KILLS} random moments leaves all of its rows or none`, async (t) => {
  const outcomes = { nothing: 0, everything: 0, done: 0 };
  let begun = 0;
  const takeMoment = () => {
    if (outcomes.nothing + outcomes.everything >= KILLS) return null;
    assert.ok(begun < 3 * KILLS, 'most imports end before they are killed');
    const at = ((begun++ % PARTS) + Math.random()) / PARTS;
    return KILLED_AT.first + at * (KILLED_AT.last - KILLED_AT.first);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, () => killImports(takeMoment, outcomes)));
  const { nothing, everything, done } = outcomes;
  t.diagnostic(`${nothing} left nothing, ${everything} everything; ${done} ended before they were killed`);
  assert.ok(nothing + everything >= KILLS);
  assert.ok(nothing > 0, 'no kill came before the end: the test shows nothing');
});
