import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createKey, importCsv, run, start, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = 20_000;
/** A command waits for the requests of a service, which take so long at most. */
const env = { REQUEST_TIMEOUT: '2000' };

// biome-ignore lint/suspicious/noExplicitAny: responses of several operations.
type Body = any;
const ARCHIVE = ['archive', '--before', '2026-03-10', '--to', 'archive'];

const linesOf = (account: string, count: number, day: string) =>
  Array.from({ length: count }, (_, index) => {
    const createdAt = `${day}T12:00:00.000Z`;
    return csvLine({ account, reference: `${account}.${day}.${index}`, createdAt, paidAt: createdAt });
  });
const [OLD, NEW] = ['2026-03-01', '2026-03-20'] as const;
const fileOf = (...lines: string[][]) => [CSV_HEADER, ...lines.flat()].join('\n');

transcript(import.meta.url);

test('an archive beside a service that is killed is completed by the next one', {
  timeout: GIVE_UP_MS,
}, async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const key = await createKey('store-1', { cwd });
  const lines = [linesOf('store-1', ROWS, OLD), linesOf('store-1', 3, NEW), linesOf('store-2', 2, OLD)];
  await importCsv(fileOf(...lines), { cwd });
  const served = await startServe({ cwd }, t);
  const get = async (path: string) => {
    const response = await call(`${served.url}${path}`, key);
    return { status: response.status, body: (await response.json()) as Body };
  };

  const killed = start(ARCHIVE, { cwd, env });
  const exited = once(killed, 'exit');
  const db = new DatabaseSync(`${cwd}/data/transactions.db`, { readOnly: true, timeout: GIVE_UP_MS });
  t.after(() => db.close());
  const count = db.prepare("SELECT count(*) AS rows FROM transactions WHERE account = 'store-1'");
  const rowsNow = () => Number(count.get()?.['rows']);
  while (rowsNow() === ROWS + 3) await delay(1);
  killed.kill('SIGKILL');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  assert.ok(rowsNow() > 3, 'the archive was over before it was killed');
  assert.equal((await run(['verify'], { cwd })).status, 0);
  const totals = await get('/v1/totals');
  assert.equal(totals.body.data[0].count, rowsNow());

  const ended = await run(ARCHIVE, { cwd, env });
  assert.equal(ended.status, 0, ended.stderr);
  assert.match(
    ended.stdout,
    /^store-1: [\d,]+ transactions moved to store-1\.before-2026-03-10\.change-20000\.csv\n/,
  );
  assert.match(ended.stdout, /store-2: 2 transactions moved/);
  assert.equal((await run(['verify'], { cwd })).status, 0);
  const list = await get('/v1/transactions');
  assert.equal(list.body.data.length, 3);
  const { status, body } = await get('/v1/changes');
  assert.deepEqual([status, body.code, body.floorSequence], [410, 'changes_archived', ROWS]);
  assert.equal((await get(`/v1/changes?after=${ROWS}`)).status, 200);
});
