import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { call, createKey, createOperatorKey, startServe, walkList } from '../rig/service/process.ts';

const KILLS = inTier({ short: 2, long: 6 });
const ROWS = 3000;
const ACCOUNTS = ['store-1', 'store-2'];
const random = new Random(seed);

test(`a stream interrupted by ${KILLS} kills of the service, and sent again each time, records exactly its transactions`, async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  const csv = sampleCsv(ROWS);
  const operatorKey = await createOperatorKey(options);
  const rowsOf = (account: string): Record<string, string | null>[] =>
    expectedRows(csv, account).map((row) => ({ account, ...row }));
  const paid = ACCOUNTS.flatMap(rowsOf);
  const pending = paid.map((row) => ({ ...row, status: 'pending', paidAt: null }));

  /** Starts a service, sends a stream to it, and kills it after `killAfterLines` lines of the response. */
  const send = async (transactions: readonly object[], killAfterLines = Number.POSITIVE_INFINITY) => {
    const served = await startServe(options);
    let answered = '';
    try {
      const response = await call(`${served.operatorUrl}/v1/batch`, operatorKey, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: transactions.map((transaction) => JSON.stringify(transaction)).join('\n'),
      });
      for await (const text of (response.body as ReadableStream).pipeThrough(new TextDecoderStream())) {
        answered += text;
        if (answered.split('\n').length > killAfterLines) served.child.kill('SIGKILL');
      }
    } catch {
      // The service was killed. The response up to then is checked below.
    }
    const lines = answered.split('\n').slice(0, -1);
    const answers: { line: number; outcome: string }[] = lines.map((line) => JSON.parse(line));
    return { served, answers };
  };

  const acknowledged = new Set<number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const sent = kill % 2 === 0 ? pending : pending.slice(0, ROWS / 2);
    const { served, answers } = await send(sent, random.integer(0, sent.length / 2));
    for (const { line } of answers) acknowledged.add(line);
    t.diagnostic(`killed after ${answers.length} of ${sent.length} lines`);
    await served.stop('SIGKILL');
  }
  const first = await send(pending);
  assert.equal(first.answers.length, ROWS);
  for (const { line, outcome } of first.answers)
    assert.ok(outcome === 'unchanged' || (outcome === 'recorded' && !acknowledged.has(line)), outcome);
  await first.served.stop();

  const { served, answers } = await send(paid);
  t.after(() => served.stop());
  const count = (wanted: string) => answers.filter(({ outcome }) => outcome === wanted).length;
  const stayPending = paid.filter(({ status }) => status === 'pending').length;
  assert.deepEqual([count('changed'), count('unchanged')], [ROWS - stayPending, stayPending]);
  for (const account of ACCOUNTS) {
    const rows = await walkList(served.url, await createKey(account, options));
    assert.deepEqual(rows, expectedRows(csv, account));
  }
});
