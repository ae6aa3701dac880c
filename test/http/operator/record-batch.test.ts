import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { StoreRefused, StoreUnavailable } from '../../../values/store-errors.ts';
import { listen } from '../../rig/http/connection.ts';
import { openBatch, PENDING, sendBatch } from '../../rig/http/request-bodies.ts';
import { buildTestApp, metric } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

const line = (reference: string, fields: Record<string, unknown> = {}) =>
  JSON.stringify({
    account: 'store-1',
    reference: `store-1.${reference}`,
    ...PENDING,
    ...fields,
  });

const UNAVAILABLE = 'transactions_unavailable_total{reason="database_error"}';

async function operatorOf(app: Awaited<ReturnType<typeof buildTestApp>>) {
  const operator = await buildTestOperatorApp(app.store, app.clock);
  return { operator, batch: (text: string, key?: string) => sendBatch(operator, [text], key) };
}

function monotonicSteps(stepMs: number): () => number {
  let atMs = 0;
  return () => (atMs += stepMs);
}

test('other work gets a turn of the event loop after each quarter of a millisecond of a stream', async () => {
  const app = await buildTestApp();
  const { batch } = await operatorOf({ ...app, clock: { ...app.clock, monotonicMs: monotonicSteps(0.25) } });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const lines = Array.from({ length: 100 }, (_, index) => line(`${index}`));
  assert.equal((await batch(lines.join('\n'))).length, lines.length);
  isOver = true;
  assert.ok(turns >= lines.length, `${turns}`);
});

test('200: after a broken connection, exactly the complete lines are recorded', async (t) => {
  const app = await buildTestApp();
  const { operator, batch } = await operatorOf(app);
  const sent = await openBatch(t, operator);
  await new Promise<void>((resolve) => {
    sent.on('response', (response) => response.once('data', () => resolve()));
    sent.write(`${line('a')}\n${line('b').slice(0, 20)}`);
  });
  sent.destroy();
  const results = await batch(`${line('a')}\n${line('b')}\n`);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unchanged', 'recorded'],
  );
});

test('200 failed, unavailable: if the database refuses all lines of a commit, the cause is logged once with their count, and the stream continues', async () => {
  const app = await buildTestApp();
  const causes = [
    new StoreRefused('this user lacks a right'),
    new Error('wrong SQL'),
    new StoreUnavailable('database_error', 'the disk is full'),
  ];
  const outcomes = ['failed', 'failed', 'unavailable'];
  for (const [index, cause] of causes.entries()) {
    let calls = 0;
    const store = storeWith(app.store, {
      record: async (transactions) => {
        if (++calls === 1) throw cause;
        return app.store.record(transactions);
      },
    });
    const { batch, operator } = await operatorOf({ ...app, store });
    const before = await metric(UNAVAILABLE);
    const lines = [line(`a${index}`), line(`b${index}`), line(`a${index}`), line(`b${index}`)];
    const results = await batch(lines.join('\n'));
    const outcome = outcomes[index];
    assert.deepEqual(
      results.map((result) => [result.line, result.outcome]),
      [
        [1, outcome],
        [2, outcome],
        [3, 'recorded'],
        [4, 'recorded'],
      ],
    );
    const logged = operator.logged.map((text) => JSON.parse(text)).filter(({ err }) => err !== undefined);
    assert.deepEqual(
      logged.map(({ line: first, lines: count, err }) => [first, count, err.message]),
      [[1, 2, cause.message]],
    );
    assert.equal((await metric(UNAVAILABLE)) - before, outcome === 'unavailable' ? 2 : 0);
  }
});

test('200 failed: a transaction that the database refuses is reported and logged with its cause; the others are recorded', async () => {
  const app = await buildTestApp();
  const record = app.store.record.bind(app.store);
  app.store.record = async (transactions) => {
    const results = await record(transactions.filter(({ reference }) => !reference.endsWith('bad')));
    const at = transactions.findIndex(({ reference }) => reference.endsWith('bad'));
    return at < 0
      ? results
      : results.toSpliced(at, 0, { outcome: 'failed', error: new Error('refused by a trigger') });
  };
  const { batch, operator } = await operatorOf(app);
  const results = await batch([line('a'), line('bad'), line('b')].join('\n'));
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['recorded', 'failed', 'recorded'],
  );
  const logged = operator.logged.map((text) => JSON.parse(text)).filter(({ err }) => err !== undefined);
  assert.deepEqual(
    logged.map(({ line, err }) => [line, err.message]),
    [[2, 'refused by a trigger']],
  );
});

test('200: the service continues after it has closed the connection of a caller whose line is too long', async (t) => {
  const app = await buildTestApp();
  const { operator, batch } = await operatorOf(app);
  const tooLong = await batch(`${line('a')}\n${'x'.repeat(200_000)}\n${line('b')}\n`);
  assert.deepEqual(tooLong.at(-1).outcome, 'invalid');
  assert.match(tooLong.at(-1).errors[0].detail, /longer than 65536 characters/);
  const sent = await openBatch(t, operator);
  sent.on('response', (response) => response.on('error', () => {}).resume());
  sent.write(`${line('a')}\n${'x'.repeat(200_000)}`);
  await new Promise((resolve) => sent.once('close', resolve));
  assert.deepEqual(await batch(line('a')), [{ line: 1, outcome: 'unchanged' }]);
});

test('200 invalid: with a key for accounts with a prefix, each line of another account fails, and the others are recorded', async () => {
  const app = await buildTestApp();
  const { operator, batch } = await operatorOf(app);
  const key = await operator.makeKey({ accountPrefix: 'shop-' });
  const results = await batch(
    [
      line('a', { account: 'shop-1', reference: 'shop-1.a' }),
      line('a'),
      line('b', { account: 'Shop-1', amount: '1.234' }),
      line('c', { account: 5 }),
      line('b', { account: 'shop-2', reference: 'shop-2.b' }),
    ].join('\n'),
    key,
  );
  const pointers = results.map(({ errors = [] }) =>
    errors.map(({ pointer }: { pointer: string }) => pointer).join(),
  );
  assert.deepEqual(pointers, ['', '/account', '/amount,/account', '/account', '']);
  assert.equal(
    results[1].errors[0].detail,
    'does not begin with "shop-", as the accounts of this API key do',
  );
  assert.equal(await app.store.retrieveTransaction('store-1', 'store-1.a'), undefined);
});

test('200: a caller that sends 10,000 lines, half-closes the connection, and only then reads gets all results', async (t) => {
  const app = await buildTestApp();
  const { operator } = await operatorOf(app);
  const { open } = await listen(t, operator.server);
  const sender = open();
  const lines = Array.from({ length: 10_000 }, (_, index) => `${line(`half-${index}`)}\n`).join('');
  const sent = once(sender, 'finish');
  sender.end(
    'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n' +
      `Authorization: Bearer ${operator.key}\r\nContent-Length: ${lines.length}\r\n\r\n${lines}`,
  );
  await sent;
  const text = (await sender.toArray()).join('');
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.equal(text.match(/"outcome":"recorded"/g)?.length, 10_000);
  assert.match(text, /\r\n0\r\n\r\n$/);
});
