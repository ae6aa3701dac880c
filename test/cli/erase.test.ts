import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createKey,
  createOperatorKey,
  importCsv,
  recordPending,
  run,
  start,
  startServe,
} from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = 20_000;
/** A command waits for the requests of a service, which take so long at most. */
const env = { REQUEST_TIMEOUT: '2000' };

const linesOf = (account: string, count: number) =>
  Array.from({ length: count }, (_, index) => csvLine({ account, reference: `${account}.${index}` }));

transcript(import.meta.url);

test('an erasure beside a service that is killed is completed by the next one: keys are refused, recordings get 503', {
  timeout: GIVE_UP_MS,
}, async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const [key, otherKey] = [await createKey('store-1', { cwd }), await createKey('store-2', { cwd })];
  const operator = await createOperatorKey({ cwd });
  await importCsv([CSV_HEADER, ...linesOf('store-1', ROWS), ...linesOf('store-2', 3)].join('\n'), { cwd });
  const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' } }, t);
  const statusOf = async (with_: string) => (await call(`${served.url}/v1/transactions`, with_)).status;
  const recorded = async (account: string) => {
    const response = await recordPending(served, operator, 'again', account);
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  };
  assert.equal(await statusOf(key), 200);

  const killed = start(['erase', '--account', 'store-1', '--yes'], { cwd, env });
  const exited = once(killed, 'exit');
  const db = new DatabaseSync(`${cwd}/data/transactions.db`, { readOnly: true, timeout: GIVE_UP_MS });
  t.after(() => db.close());
  const count = db.prepare("SELECT count(*) AS rows FROM transactions WHERE account = 'store-1'");
  while (Number(count.get()?.['rows']) === ROWS) await delay(1);
  killed.kill('SIGKILL');
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  assert.ok(Number(count.get()?.['rows']) > 0, 'the erasure was over before it was killed');

  while ((await statusOf(key)) !== 401) await delay(20);
  const { status, retryAfter, text } = await recorded('store-1');
  assert.equal(status, 503);
  assert.ok(Number(retryAfter) >= 1);
  assert.match(text, /being erased/);
  assert.equal((await recorded('store-2')).status, 201);
  const half = await run(['verify', '--account', 'store-1'], { cwd });
  assert.equal(half.status, 1);
  assert.match(half.stdout, /erasure that has not ended/);

  const {
    status: ended,
    stdout,
    stderr,
  } = await run(['erase', '--account', 'store-1', '--yes'], { cwd, env });
  assert.equal(ended, 0, stderr);
  assert.match(stderr, /^Waiting 6 s, until what services began is over\.$/m);
  assert.equal(stdout, 'The account store-1 is erased.\n');
  assert.equal((await run(['verify'], { cwd })).status, 0);
  assert.doesNotMatch((await run(['keys', 'list'], { cwd })).stdout, /store-1/);
  assert.equal((await recorded('store-1')).status, 201);
  assert.deepEqual([await statusOf(key), await statusOf(otherKey)], [401, 200]);
  assert.deepEqual(
    (await run(['accounts', '--json'], { cwd })).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ account, headSequence }) => ({ account, headSequence })),
    [
      { account: 'store-1', headSequence: 1 },
      { account: 'store-2', headSequence: 4 },
    ],
  );
});
