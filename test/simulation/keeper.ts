import assert from 'node:assert/strict';
import type { Random } from '../rig/random.ts';
import { type KnownKey, knownKey, type World } from './world.ts';

/** Makes keys, revokes them, uses one up, and tries keys that open nothing. */
export async function keyKeeper(world: World, random: Random, deeds: number): Promise<void> {
  for (let count = 0; count < deeds; count++) {
    const deed = random.integer(0, 4);
    if (world.options.rateLimit !== null) await flood(world, random);
    if (deed <= 1) await makeKey(world, random, `key-${count}`);
    else if (deed <= 3) await revokeKey(world, random);
    else await tryWrongKey(world, random);
    await world.time.delay(random.integer(1, 10) * 100);
  }
}

export async function makeKey(world: World, random: Random, name: string): Promise<void> {
  const { account } = random.pick(world.accounts);
  const expiresAtMs = random.chance(0.3) ? world.wallNow() + random.integer(1, 8) * 1000 : null;
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
  const answer = await world.send({
    to: 'operator',
    method: 'POST',
    url: `/v1/accounts/${account}/keys`,
    key: world.operatorKey,
    body: { label: name, expiresAt },
  });
  if (answer === undefined || answer.status === 503) return;
  if (answer.status === 422) {
    assert.ok(expiresAtMs !== null && answer.wall.maxMs >= expiresAtMs, answer.text);
    return;
  }
  assert.equal(answer.status, 201, answer.text);
  const { id, key } = answer.body;
  const made = knownKey(name, { id, key, account, expiresAtMs });
  world.keys.push(made);
  if (expiresAtMs === null) return;
  await use(world, made);
  await world.time.delay(random.integer(5, 40) * 100);
  await use(world, made);
}

async function revokeKey(world: World, random: Random): Promise<void> {
  const made = world.keys.filter(({ name }) => name.startsWith('key-'));
  if (made.length === 0) return;
  const key = random.pick(made);
  await use(world, key);
  key.revokeSentMs = Math.min(key.revokeSentMs, world.time.elapsedMs);
  const answer = await world.send({
    to: 'operator',
    method: 'DELETE',
    url: `/v1/accounts/${key.account}/keys/${key.id}`,
    key: world.operatorKey,
  });
  if (answer === undefined || answer.status === 503) return;
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.state, 'revoked');
  key.revokedMs = Math.min(key.revokedMs, answer.endedMs);
  // Where nobody can hear of it, the key is not believed for long.
  if (random.chance(0.5)) world.stall(4000);
  await world.time.delay(random.integer(0, 20) * 100);
  await use(world, key);
}

/**
 * Asks what only the holder of a good key is told to be wrong, and no database: whether the key was taken is
 * seen whatever the weather, and checked with every answer.
 */
async function use(world: World, key: KnownKey): Promise<void> {
  for (const instance of world.instances) {
    await world.send({ to: 'public', instance, method: 'GET', url: '/v1/transactions?limit=1', key });
  }
}

/** More at once than the rate allows. How many are let through is checked with every answer. */
async function flood(world: World, random: Random): Promise<void> {
  const key = random.pick(world.keys);
  const instance = random.pick(world.instances);
  const question = { to: 'public', instance, method: 'GET', url: '/v1/transactions', key } as const;
  await Promise.all(Array.from({ length: 12 }, () => world.send(question)));
}

/** Keys that are misspelt, unknown or of the other listener: 401, whatever else is wrong. */
async function tryWrongKey(world: World, random: Random): Promise<void> {
  const { key } = random.pick(world.keys);
  const misspelt = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
  const wrong = random.pick([misspelt, world.operatorKey.key, null, 'tk_live_']);
  const url = `/v1/transactions?${random.pick(['', 'status=none', 'limit=5', 'cursor=x'])}`;
  const answer = await world.send({ to: 'public', method: 'GET', url, key: wrong });
  if (answer !== undefined) assert.equal(answer.status, 401, 'a wrong key was not refused at once');
}
