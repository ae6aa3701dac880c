import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type BatchResult,
  type BatchTransaction,
  ConnectionError,
  type Created,
  IdempotencyKeyReusedError,
  InvalidFieldsError,
  type NewTransaction,
  PlatformClient,
  type Recorded,
  responseOf,
  TransactionConflictError,
  UnexpectedResponseError,
} from '../../client/src/platform.ts';
import { type TestOptions, testOptions } from '../rig/http/client.ts';
import { type Cut, startFaultProxy } from '../rig/http/fault-proxy.ts';
import { serveHttp } from '../rig/http/loopback.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const PENDING: NewTransaction = {
  merchantReference: 'order-1',
  status: 'pending',
  amount: '24.50',
  currencyCode: 'USD',
  createdAt: '2026-03-30T09:30:00.000Z',
};
const PAID: NewTransaction = { ...PENDING, status: 'completed', paidAt: '2026-03-30T09:30:05.000Z' };

async function platformOn(t: TestContext, cuts: Cut[] = [], options: Partial<TestOptions> = {}) {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const serviceUrl = await operator.server.listen({ host: '127.0.0.1', port: 0 });
  const { port, connections, close } = await startFaultProxy(
    Number(new URL(serviceUrl).port),
    '127.0.0.1',
    cuts,
  );
  // The proxy closes first: otherwise, its connections keep the server open for more than a minute.
  t.after(close);
  t.after(() => operator.server.close());
  const settings = {
    url: `http://127.0.0.1:${port}`,
    apiKey: operator.key,
    sleep: async () => {},
    maxRetries: 3,
    ...options,
  };
  const changesOf = async (account: string) => {
    const { changes } = await app.store.listChanges({ account, after: 0, limit: 1000 });
    return changes.map(({ transaction }) => `${transaction.reference} ${transaction.status}`);
  };
  return { app, operator, platform: new PlatformClient(testOptions(settings)), changesOf, connections };
}

const withoutTransaction = ({ transaction: _, ...said }: Recorded | Created) => said;

test('put records a transaction, then its payment, and returns the number of each change', async (t) => {
  const { platform, changesOf } = await platformOn(t);
  const recorded = await platform.put('put-1', 'pay_1', PENDING);
  assert.deepEqual([recorded.outcome, recorded.sequence], ['recorded', 1]);
  assert.deepEqual(recorded.transaction, { reference: 'pay_1', paidAt: null, ...PENDING });
  const paid = await platform.put('put-1', 'pay_1', PAID);
  assert.deepEqual([paid.outcome, paid.sequence], ['changed', 2]);
  assert.notEqual(paid.changeId, recorded.changeId);
  const again = await platform.put('put-1', 'pay_1', PAID);
  assert.deepEqual(withoutTransaction(again), { ...withoutTransaction(paid), outcome: 'unchanged' });
  assert.deepEqual(await changesOf('put-1'), ['pay_1 pending', 'pay_1 completed']);
  assert.deepEqual(await platform.account('put-1').transactions.retrieve('pay_1'), paid.transaction);
  assert.equal(responseOf(paid.transaction)?.status, 200);
});

test('put and create record once, wherever the request or the response is cut', async (t) => {
  const random = new Random(seed);
  for (let run = 0; run < inTier({ short: 3, long: 200 }); run++) {
    const cuts: Cut[] = Array.from({ length: random.integer(1, 3) }, () =>
      random.integer(0, 1) === 0
        ? { of: 'client', bytes: random.integer(1, 500) }
        : { of: 'server', bytes: random.integer(1, 900) },
    );
    const { platform, changesOf, operator } = await platformOn(t, cuts);
    await platform.put('cut-1', 'pay_1', PAID);
    const { transaction, idempotencyKey } = await platform.create('cut-1', PENDING);
    const again = await platform.create('cut-1', PENDING, { idempotencyKey });
    assert.deepEqual([again.transaction, again.isReplayed], [transaction, true]);
    assert.deepEqual(await changesOf('cut-1'), ['pay_1 completed', `${transaction.reference} pending`]);
    await operator.server.close();
  }
});

test('errors of recording say which values differ and which fields are invalid', async (t) => {
  const { platform } = await platformOn(t);
  await platform.put('err-1', 'pay_1', PENDING);
  await assert.rejects(platform.put('err-1', 'pay_1', { ...PENDING, amount: '25.00' }), (error) => {
    assert.ok(error instanceof TransactionConflictError);
    assert.deepEqual(error.differences, [{ field: 'amount', recorded: '24.50', given: '25.00' }]);
    assert.match(error.message, /a different amount\. \(transaction_conflict, PUT /);
    return error.retryable === false;
  });
  await assert.rejects(platform.put('err-1', 'pay_2', { ...PENDING, amount: '25.005' }), (error) => {
    assert.ok(error instanceof InvalidFieldsError);
    return error.fieldFaults.length === 1 && error.fieldFaults[0]?.pointer === '/amount';
  });
  await platform.create('err-1', PENDING, { idempotencyKey: 'one' });
  await assert.rejects(platform.create('err-1', PAID, { idempotencyKey: 'one' }), (error) => {
    assert.ok(error instanceof IdempotencyKeyReusedError);
    return error.differences.length > 0;
  });
  assert.throws(() => new PlatformClient({ apiKey: 'a-key' }), /TRANSACTIONS_OPERATOR_URL/);
  assert.throws(() => new PlatformClient({ url: 'https://service.test' }), /TRANSACTIONS_OPERATOR_KEY/);
});

const lineOf = (account: string, at: number, fields: NewTransaction = PAID): BatchTransaction => ({
  account,
  reference: `pay_${at}`,
  ...fields,
});

function history(account: string, count: number, random: Random): BatchTransaction[] {
  const lines: BatchTransaction[] = [];
  const unpaid: number[] = [];
  for (let at = 1; at <= count; at++) {
    lines.push(lineOf(account, at, PENDING));
    unpaid.push(at);
    while (unpaid.length > 0 && random.integer(0, 1) === 1)
      lines.push(lineOf(account, unpaid.splice(random.integer(0, unpaid.length - 1), 1)[0] as number));
  }
  return [...lines, ...unpaid.map((at) => lineOf(account, at))];
}

test('a batch over connections that are cut at any byte records each state of each transaction once, in order', async (t) => {
  const random = new Random(seed);
  for (let run = 0; run < inTier({ short: 2, long: 80 }); run++) {
    const lines = history('batch-1', random.integer(1, 120), random);
    const cuts: Cut[] = Array.from({ length: random.integer(0, 8) }, () =>
      random.integer(0, 1) === 0
        ? { of: 'client', bytes: random.integer(1, 6000) }
        : { of: 'server', bytes: random.integer(1, 3000) },
    );
    const { platform, changesOf, operator } = await platformOn(t, cuts, { maxRetries: 8 });
    const batch = platform.batch(lines);
    const results: BatchResult[] = [];
    for await (const result of batch) results.push(result);
    assert.deepEqual(
      results.map(({ line, transaction }) => [line, transaction]),
      lines.map((one, at) => [at + 1, one]),
    );
    for (const { outcome } of results) assert.match(outcome, /^(recorded|changed|unchanged)$/);
    const changes = await changesOf('batch-1');
    assert.deepEqual(
      changes,
      lines.map(({ reference, status }) => `${reference} ${status}`),
      `run ${run}`,
    );
    const { read, answered } = batch.progress;
    assert.deepEqual([read, answered], [lines.length, lines.length]);
    await operator.server.close();
  }
});

test('an invalid or contradicting line has its own outcome, and the others are recorded', async (t) => {
  const { platform, changesOf } = await platformOn(t);
  const wrong = { ...PAID, amount: '1.005' };
  const other = { ...PAID, amount: '1.00' };
  const batch = platform.batch([
    lineOf('own-1', 1),
    lineOf('own-1', 2, wrong),
    lineOf('own-1', 1, other),
    lineOf('own-1', 3),
  ]);
  const results: BatchResult[] = [];
  for await (const result of batch) results.push(result);
  assert.deepEqual(
    results.map(({ line, outcome }) => [line, outcome]),
    [
      [1, 'recorded'],
      [2, 'invalid'],
      [3, 'conflict'],
      [4, 'recorded'],
    ],
  );
  assert.equal(results[1]?.errors?.[0]?.pointer, '/amount');
  assert.deepEqual(results[2]?.differences, [{ field: 'amount', recorded: '24.50', given: '1.00' }]);
  assert.deepEqual(batch.progress, {
    read: 4,
    answered: 4,
    outcomes: { recorded: 2, invalid: 1, conflict: 1 },
    resumed: 0,
  });
  assert.equal((await changesOf('own-1')).length, 2);
});

test('a batch reads its source only as fast as the loop takes results, and yields each result as it arrives', async (t) => {
  const { platform } = await platformOn(t);
  let read = 0;
  async function* source() {
    for (let at = 1; at <= 5000; at++) {
      read = at;
      yield lineOf('slow-1', at);
    }
  }
  let count = 0;
  for await (const { line } of platform.batch(source())) {
    count++;
    assert.equal(line, count);
    assert.ok(read <= count + 2001, `${read} were read after ${count} results`);
  }
  assert.equal(count, 5000);
  const twice = platform.batch([1, 2, 2, 3].map((number) => lineOf('slow-3', number)));
  const answered: number[] = [];
  for await (const { line } of twice) if (answered.push(line) === 1) break;
  for await (const { line } of twice) answered.push(line);
  assert.deepEqual(answered, [1, 2, 3, 4]);
});

test('a batch ends with the error of its source, of a refused key, or of a service that does not return', async (t) => {
  const { platform, operator } = await platformOn(t);
  const failing = function* () {
    yield lineOf('end-1', 1);
    throw new Error('the file is damaged');
  };
  const readAll = async (batch: AsyncIterable<BatchResult>) => {
    for await (const _ of batch);
  };
  await assert.rejects(readAll(platform.batch(failing())), /the file is damaged/);
  const read = await operator.makeKey({ scopes: ['read'] });
  const reader = new PlatformClient({ url: platform.url, apiKey: read, maxRetries: 0 });
  await assert.rejects(readAll(reader.batch([lineOf('end-1', 2)])), { code: 'insufficient_scope' });
  const reason = new Error('stopped');
  await assert.rejects(
    readAll(platform.batch([lineOf('end-1', 3)], { signal: AbortSignal.abort(reason) })),
    reason,
  );
  await operator.server.close();
  const batch = platform.batch([lineOf('end-1', 4)]);
  await assert.rejects(readAll(batch), ConnectionError);
  assert.deepEqual(batch.progress, { read: 1, answered: 0, outcomes: {}, resumed: 3 });
});

const ALONE = { apiKey: 'a-key', sleep: async () => {}, maxRetries: 0 };

test('a batch refuses a result whose errors do not have the form of faults', async (t) => {
  for (const errors of [null, 1, {}, [null], [{ code: 'invalid_value' }]]) {
    const url = await serveHttp(t, (request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/x-ndjson');
      response.end(`${JSON.stringify({ outcome: 'invalid', errors })}\n`);
    });
    const batch = new PlatformClient(testOptions({ ...ALONE, url })).batch([lineOf('time-1', 1)]);
    await assert.rejects(
      batch[Symbol.asyncIterator]().next(),
      UnexpectedResponseError,
      JSON.stringify(errors),
    );
  }
});

test('a batch whose service answers nothing ends with a time limit', async (t) => {
  const silent = await serveHttp(t, () => {});
  const options = testOptions({ ...ALONE, url: silent, timeoutMs: 50 });
  const batch = new PlatformClient(options).batch([lineOf('time-1', 1)]);
  await assert.rejects(batch[Symbol.asyncIterator]().next(), { code: 'timed_out' });
});
