import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { jsonLines } from '../../rig/data/json-lines.ts';
import { openBatch, PENDING, sendBatch } from '../../rig/http/request-bodies.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { someEntry } from '../../rig/store/audit.ts';

const KEY_ID = 'key_0000000000000001';

const line = (name: string) =>
  `${JSON.stringify({
    account: 'store-1',
    reference: `store-1.${name}`,
    ...PENDING,
  })}\n`;

async function serve() {
  const { store, clock } = await buildTestApp();
  return { store, clock, operator: await buildTestOperatorApp(store, clock) };
}

type Served = Awaited<ReturnType<typeof serve>>;

async function beginBatch(t: TestContext, { operator }: Served, key: string) {
  const sent = await openBatch(t, operator, key);
  sent.write(line('a'));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let received = '';
  response.setEncoding('utf8').on('error', () => {});
  response.on('data', (text: string) => {
    received += text;
  });
  await once(response, 'data');
  return async (text: string) => {
    sent.write(text);
    await new Promise((resolve) => response.once('close', resolve));
    return jsonLines(received);
  };
}

for (const [what, expiresAfterMs, end] of [
  [
    'is revoked',
    null,
    async ({ store, clock }: Served) => void (await store.revokeApiKey(KEY_ID, clock.now(), someEntry())),
  ],
  ['expires', 5000, async ({ clock }: Served) => clock.advance(5000)],
] as const) {
  test(`200 invalid: a batch is not read further after its key ${what}`, async (t) => {
    const served = await serve();
    const { store, clock, operator } = served;
    const expiresAtMs = expiresAfterMs === null ? null : clock.now() + expiresAfterMs;
    const key = await operator.makeKey({ id: KEY_ID, expiresAtMs });
    const sendOneMore = await beginBatch(t, served, key);
    await end(served);
    await operator.keyCache.refresh();
    const [first, ...rest] = await sendOneMore(line('b'));
    assert.deepEqual(first, { line: 1, outcome: 'recorded' });
    for (const { outcome, errors } of rest) {
      assert.equal(outcome, 'invalid');
      assert.match(errors[0].detail, /^The API key is no longer accepted\./);
    }
    assert.equal(await store.retrieveTransaction('store-1', 'store-1.b'), undefined);
  });
}

test('200 invalid: lines that waited for a commit are not recorded after the key was revoked', async () => {
  const { store, clock } = await buildTestApp();
  const recorded: string[] = [];
  const record = store.record.bind(store);
  store.record = async (transactions) => {
    const results = await record(transactions);
    recorded.push(...transactions.map(({ reference }) => reference));
    await store.revokeApiKey(KEY_ID, clock.now(), someEntry());
    await operator.keyCache.refresh();
    return results;
  };
  const operator = await buildTestOperatorApp(store, clock);
  const key = await operator.makeKey({ id: KEY_ID });
  const lines = Array.from({ length: 1000 }, (_, index) => line(String(index)).trim());
  const results = await sendBatch(operator, lines, key);
  assert.ok(recorded.length > 0 && recorded.length <= 500, `${recorded.length} were recorded`);
  assert.equal(results.length, recorded.length + 1);
  assert.match(results.at(-1).errors[0].detail, /^The API key is no longer accepted\./);
});
