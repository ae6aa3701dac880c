import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fetch, SealMismatchError } from '../../client/src/index.ts';
import { sealUpTo } from '../../src/ledger/seals/seals.ts';
import { completed } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { clientOf, clientOn, fetchFrom } from '../rig/http/client.ts';
import { buildTestApp } from '../rig/service/app.ts';

const ACCOUNT = 'store-1';
const OPTIONS = { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} };

async function serve() {
  const app = await buildTestApp();
  const key = await app.makeKey(ACCOUNT);
  const open = [1, 2].map((index) =>
    transaction(ACCOUNT, `open_${index}`, { status: 'pending', merchantReference: 'Ünï "😀"' }),
  );
  await record(app.store, [
    transaction(ACCOUNT, 'paid', { amountMinor: -1250, merchantReference: null }),
    ...open,
  ]);
  await record(app.store, open.map(completed));
  const seal = () => sealUpTo(app.store, ACCOUNT, {}, OPTIONS);
  return { app, key, seal };
}

const altered =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    return { ...response, text: async () => (await response.text()).replace('"-12.50"', '"-12.51"') };
  };

test('a feed that verifies computes the seal of the service, and continues from its saved position', async () => {
  const { app, key, seal } = await serve();
  await seal();
  const { client } = clientOf(app, key);
  const { sequence, seal: expected } = await client.seal();
  assert.equal(sequence, 5);
  const first = client.changes.catchUp({ verify: true, limit: 2 });
  await first.page();
  const saved = JSON.parse(JSON.stringify(first));
  assert.deepEqual(Object.keys(saved), ['after', 'afterId', 'seal']);
  const rest = client.changes.catchUp(saved);
  for await (const _ of rest);
  assert.equal(rest.toJSON().seal, expected);
});

test('a feed ends with an error at a change that differs from the sealed one, even if the service seals later', async () => {
  const { app, key, seal } = await serve();
  const { client } = clientOn(altered(fetchFrom(app)), key);
  const early = client.changes.follow({ verify: true });
  assert.equal((await early.page()).data.length, 5);
  await seal();
  await record(app.store, [transaction(ACCOUNT, 'later')]);
  await assert.rejects(client.changes.catchUp(early.toJSON()).page(), (error) => {
    assert.ok(error instanceof SealMismatchError);
    assert.deepEqual([error.sequence, error.agreedSequence], [5, 5]);
    return true;
  });
  const whole = client.changes.catchUp({ verify: true, limit: 2 });
  await assert.rejects(Array.fromAsync(whole.pages()), SealMismatchError);
  assert.equal(whole.after, 4);
  assert.deepEqual(whole.toJSON(), { after: 0, seal: '0'.repeat(64) });
});

test('verification from a change onwards requires the seal of that change', async () => {
  const { app, key } = await serve();
  const { client } = clientOf(app, key);
  assert.throws(() => client.changes.follow({ after: 3, verify: true }), /pass its seal/);
  assert.throws(() => client.changes.follow({ after: 3, seal: 'F'.repeat(64) }), /64 lower-case/);
});
