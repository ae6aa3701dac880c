import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CREATED_KEY_EXAMPLES,
  LISTED_KEYS_EXAMPLES,
  ROLLED_KEY_EXAMPLES,
} from '../../../src/keys/http/api-key-examples.ts';
import { EXAMPLE_NOW_MS } from '../../../src/ledger/http/transaction-examples.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const KEYS = '/v1/accounts/store-1/keys';

test('201 and 200: creating, listing, rolling and revoking a key give the examples of the reference', async () => {
  const clock = testClock(EXAMPLE_NOW_MS);
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const operator = await buildTestOperatorApp(store, clock);
  // biome-ignore lint/suspicious/noExplicitAny: examples are of every shape
  const [created, listed, rolled]: any[] = [
    CREATED_KEY_EXAMPLES,
    LISTED_KEYS_EXAMPLES,
    ROLLED_KEY_EXAMPLES,
  ].map((examples) => Object.values(examples)[0]?.value);
  const { label, expiresAt } = created;
  const create = async () => (await operator.send(KEYS, { method: 'POST', body: { label, expiresAt } })).body;
  const made = await create();
  const { keyStart } = created;
  assert.equal(made.keyStart, made.key.slice(0, keyStart.length));
  assert.deepEqual({ ...made, id: created.id, key: created.key, keyStart }, created);
  const { body } = await operator.send(KEYS, { method: 'GET' });
  assert.deepEqual({ ...body, data: [{ ...body.data[0], id: created.id, keyStart }] }, listed);

  const { id } = await create();
  clock.set(Date.parse(rolled.createdAt));
  const replaced = await operator.send(`${KEYS}/${id}/roll`, { method: 'POST', body: { grace: '24h' } });
  assert.deepEqual(
    {
      ...replaced.body,
      id: rolled.id,
      key: rolled.key,
      keyStart,
      replaced: { ...replaced.body.replaced, id: rolled.replaced.id },
    },
    rolled,
  );
});
