import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BackgroundTurns } from '../../../src/values/background-turns.ts';
import { StoreRefused, StoreUnavailable } from '../../../src/values/store-errors.ts';
import { listen } from '../../rig/http/connection.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

const line = (reference: string, fields: Record<string, unknown> = {}) =>
  JSON.stringify({
    account: 'store-1',
    reference: `store-1.${reference}`,
    status: 'pending',
    amount: '12.50',
    currencyCode: 'EUR',
    createdAt: '2026-03-01T10:00:00.000Z',
    ...fields,
  });

async function operatorOf(app: Awaited<ReturnType<typeof buildTestApp>>) {
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const batch = async (text: string, key = operator.key) => {
    const response = await operator.send('/v1/batch', {
      method: 'POST',
      text,
      key,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers['content-type'], 'application/x-ndjson');
    return response.text
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => JSON.parse(one));
  };
  return { operator, batch };
}

/** A clock on which each look takes so long. */
function monotonicSteps(stepMs: number): () => number {
  let atMs = 0;
  return () => (atMs += stepMs);
}

test('others have a turn of the event loop after each quarter of a millisecond of a stream', async () => {
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
  // With this clock, each line has taken its time.
  assert.ok(turns >= lines.length, `${turns}`);
});

test('200: a stream does not wait for the turns of exports', async () => {
  const { store, clock } = await buildTestApp();
  const monotonicMs = monotonicSteps(0.25);
  // As if others always came first.
  const turns = new BackgroundTurns(() => {});
  const operator = await buildTestOperatorApp(store, { ...clock, monotonicMs }, testConfig, { turns });
  const { text } = await operator.send('/v1/batch', {
    method: 'POST',
    text: [line('a'), line('b')].join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assert.match(text, /"line":2,"outcome":"recorded"/);
});

test('200: results arrive before the stream has ended', async () => {
  const app = await buildTestApp();
  const { operator } = await operatorOf(app);
  const url = await operator.server.listen({ port: 0, host: '127.0.0.1' });
  try {
    const sent = request(`${url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.key}`, 'content-type': 'application/x-ndjson' },
    });
    const results = await new Promise<string[]>((resolve, reject) => {
      const seen: string[] = [];
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.setEncoding('utf8').on('data', (text: string) => {
          seen.push(text);
          if (seen.length === 1) sent.end(`${line('b')}\n`);
        });
        response.on('end', () => resolve(seen));
      });
      sent.write(`${line('a')}\n`);
    });
    assert.deepEqual(
      results.map((text) => JSON.parse(text)),
      [
        { line: 1, outcome: 'recorded' },
        { line: 2, outcome: 'recorded' },
      ],
    );
  } finally {
    await operator.server.close();
  }
});

test('200: after a broken connection, exactly the complete lines are recorded', async (t) => {
  const app = await buildTestApp();
  const { operator, batch } = await operatorOf(app);
  const url = await operator.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => operator.server.close());
  const sent = request(`${url}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.key}`, 'content-type': 'application/x-ndjson' },
  });
  sent.on('error', () => {});
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

test('200 unavailable: lines that could not be recorded are reported, and later lines are recorded', async () => {
  const app = await buildTestApp();
  let calls = 0;
  const recordTransactions = app.store.recordTransactions.bind(app.store);
  app.store.recordTransactions = async (transactions) => {
    if (++calls === 1) throw new StoreUnavailable('database_error', 'the disk is full');
    return recordTransactions(transactions);
  };
  const { batch } = await operatorOf(app);
  // The repeated line is in a second commit.
  const results = await batch([line('a'), 'nonsense', line('a')].join('\n'));
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unavailable', 'invalid', 'recorded'],
  );
});

test('200 failed, unavailable: the cause is logged once and the lines are counted where the database refuses all lines of a commit, and the stream goes on', async () => {
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
      recordTransactions: async (transactions) => {
        if (++calls === 1) throw cause;
        return app.store.recordTransactions(transactions);
      },
    });
    const { batch, operator } = await operatorOf({ ...app, store });
    const unavailable = async () => {
      const { text } = await operator.send('/metrics', { method: 'GET', key: null });
      return Number(/^transactions_unavailable_total{reason="database_error"} (\d+)$/m.exec(text)?.[1]);
    };
    const before = await unavailable();
    // The repeated lines are in a second commit.
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
    assert.equal((await unavailable()) - before, outcome === 'unavailable' ? 2 : 0);
  }
});

test('200 failed: a transaction that the database refuses is reported and logged with its cause; the others are recorded', async () => {
  const app = await buildTestApp();
  const recordTransactions = app.store.recordTransactions.bind(app.store);
  app.store.recordTransactions = async (transactions) => {
    const results = await recordTransactions(
      transactions.filter(({ reference }) => !reference.endsWith('bad')),
    );
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

test('200: valid lines with faulty ones between them are recorded in one commit, with results in order', async () => {
  const app = await buildTestApp();
  const PAIRS = 100;
  let commits = 0;
  const recordTransactions = app.store.recordTransactions.bind(app.store);
  app.store.recordTransactions = (transactions) => {
    commits++;
    return recordTransactions(transactions);
  };
  const { batch } = await operatorOf(app);
  const lines = Array.from({ length: PAIRS }, (_, index) => [line(`r${index}`), 'nonsense']).flat();
  const results = await batch(lines.join('\n'));
  assert.deepEqual(
    results.map(({ line, outcome }) => [line, outcome]),
    lines.map((_, index) => [index + 1, index % 2 === 0 ? 'recorded' : 'invalid']),
  );
  assert.ok(commits <= PAIRS / 4, `${PAIRS} lines took ${commits} commits`);
});

test('200: many lines that have arrived are recorded in commits of hundreds, at most 500 each', async () => {
  const app = await buildTestApp();
  const commits: number[] = [];
  const recordTransactions = app.store.recordTransactions.bind(app.store);
  app.store.recordTransactions = async (transactions) => {
    commits.push(transactions.length);
    // All lines that are read ahead are checked meanwhile.
    for (let turn = 0; turn < 1000; turn++) await nextTurn();
    return recordTransactions(transactions);
  };
  const { batch } = await operatorOf(app);
  const results = await batch(Array.from({ length: 2000 }, (_, index) => line(String(index))).join('\n'));
  assert.ok(
    results.every(({ outcome }, index) => outcome === 'recorded' && results[index].line === index + 1),
  );
  assert.equal(results.length, 2000);
  assert.ok(Math.max(...commits) <= 500, commits.join());
  assert.ok(commits.length < 20, commits.join());
});

test('200 invalid: a line that is too long is refused, and the rest of the stream is not read', async () => {
  const app = await buildTestApp();
  const { batch } = await operatorOf(app);
  const results = await batch(`${line('a')}\n${'x'.repeat(200_000)}\n${line('b')}\n`);
  assert.deepEqual(results.at(-1).outcome, 'invalid');
  assert.match(results.at(-1).errors[0].detail, /longer than 65536 characters/);
});

test('200: the service goes on after it has closed the connection of a caller whose line is too long', async (t) => {
  const app = await buildTestApp();
  const { operator, batch } = await operatorOf(app);
  const url = await operator.server.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => operator.server.close());
  const sent = request(`${url}/v1/batch`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${operator.key}`, 'content-type': 'application/x-ndjson' },
  });
  sent.on('error', () => {});
  sent.on('response', (response) => response.on('error', () => {}).resume());
  sent.write(`${line('a')}\n${'x'.repeat(200_000)}`);
  await new Promise((resolve) => sent.once('close', resolve));
  assert.deepEqual(await batch(line('a')), [{ line: 1, outcome: 'unchanged' }]);
});

test('200 invalid: with a key for the accounts with a prefix, each line of another account fails, and the others are recorded', async () => {
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
  assert.deepEqual(
    results.map(({ outcome, errors }) => [
      outcome,
      errors?.map(({ pointer }: { pointer: string }) => pointer),
    ]),
    [
      ['recorded', undefined],
      ['invalid', ['/account']],
      ['invalid', ['/amount', '/account']],
      ['invalid', ['/account']],
      ['recorded', undefined],
    ],
  );
  assert.equal(
    results[1].errors[0].detail,
    'does not begin with "shop-", as the accounts of this API key do',
  );
  assert.equal(await app.store.retrieveTransaction('store-1', 'store-1.a'), undefined);
});

test('415: a compressed body is refused, after the key', async () => {
  const { operator } = await operatorOf(await buildTestApp());
  for (const [path, method, type] of [
    ['/v1/batch', 'POST', 'application/x-ndjson'],
    ['/v1/accounts/store-1/transactions/store-1.a', 'PUT', 'application/json'],
  ] as const) {
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    const { status, body } = await operator.send(path, {
      method,
      text: line('a'),
      headers,
      key: operator.key,
    });
    assert.deepEqual([status, body.code], [415, 'unsupported_media_type']);
    assert.match(body.detail, /"gzip"\. Send it uncompressed/);
    assert.equal((await operator.send(path, { method, text: line('a'), headers, key: 'none' })).status, 401);
  }
});

test('415: the batch accepts NDJSON only, and no other operation accepts it', async () => {
  const { operator } = await operatorOf(await buildTestApp());
  const batchOfJson = await operator.send('/v1/batch', {
    method: 'POST',
    body: { account: 'x' },
  });
  const recordingOfLines = await operator.send('/v1/accounts/store-1/transactions/store-1.a', {
    method: 'PUT',
    text: line('a'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  for (const [{ status, body }, taken, sent] of [
    [batchOfJson, 'application/x-ndjson', 'application/json'],
    [recordingOfLines, 'application/json', 'application/x-ndjson'],
  ] as const) {
    assert.deepEqual([status, body?.code], [415, 'unsupported_media_type']);
    const detail = `This operation takes ${taken}, and the request has the Content-Type "${sent}".`;
    assert.ok(body.detail.startsWith(detail), body.detail);
  }
});

test('200: a caller that half-closes the connection after the last line gets all results', async (t) => {
  const app = await buildTestApp();
  const { operator } = await operatorOf(app);
  const { open } = await listen(t, operator.server);
  const sender = open();
  const lines = Array.from({ length: 1200 }, (_, index) => `${line(`half-${index}`)}\n`).join('');
  sender.end(
    'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n' +
      `Authorization: Bearer ${operator.key}\r\nContent-Length: ${lines.length}\r\n\r\n${lines}`,
  );
  const text = (await sender.toArray()).join('');
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.equal(text.match(/"outcome":"recorded"/g)?.length, 1200);
  assert.match(text, /\r\n0\r\n\r\n$/);
});
