import assert from 'node:assert/strict';
import type { Random } from '../rig/run/random.ts';
import { type KnownKey, knownKey } from './known-key.ts';
import type { Simulation } from './simulation.ts';

/** Creates keys, revokes them, exhausts the rate limit of one, and tries invalid keys. */
export async function runKeyManager(simulation: Simulation, random: Random, actions: number): Promise<void> {
  for (let count = 0; count < actions; count++) {
    const action = random.integer(0, 4);
    if (simulation.options.rateLimit !== null) await exceedRate(simulation, random);
    if (action <= 1) await createKey(simulation, random, `key-${count}`);
    else if (action <= 3) await revokeKey(simulation, random);
    else await tryInvalidKey(simulation, random);
    await simulation.time.delay(random.integer(1, 10) * 100);
  }
}

export async function createKey(simulation: Simulation, random: Random, name: string): Promise<void> {
  const { account } = random.pick(simulation.accounts);
  const expiresAtMs = random.chance(0.3) ? simulation.wallClock.now() + random.integer(1, 8) * 1000 : null;
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
  const response = await simulation.send({
    to: 'operator',
    method: 'POST',
    url: `/v1/accounts/${account}/keys`,
    key: simulation.operatorKey,
    body: { label: name, expiresAt },
  });
  if (response === undefined || response.status === 503) return;
  if (response.status === 422) {
    assert.ok(expiresAtMs !== null && response.wall.maxMs >= expiresAtMs, response.text);
    return;
  }
  assert.equal(response.status, 201, response.text);
  const { id, key } = response.body;
  const created = knownKey(name, { id, key, account, expiresAtMs });
  simulation.keys.push(created);
  if (expiresAtMs === null) return;
  await use(simulation, created);
  await simulation.time.delay(random.integer(5, 40) * 100);
  await use(simulation, created);
}

/** Revokes a key. True if that is acknowledged. */
export async function revoke(simulation: Simulation, key: KnownKey): Promise<boolean> {
  key.revokeSentMs = Math.min(key.revokeSentMs, simulation.time.elapsedMs);
  const response = await simulation.send({
    to: 'operator',
    method: 'DELETE',
    url: `/v1/accounts/${key.account}/keys/${key.id}`,
    key: simulation.operatorKey,
  });
  if (response === undefined || response.status === 503) return false;
  assert.equal(response.status, 204, response.text);
  key.revokedMs = Math.min(key.revokedMs, response.endedMs);
  return true;
}

async function revokeKey(simulation: Simulation, random: Random): Promise<void> {
  const created = simulation.keys.filter(({ name }) => name.startsWith('key-'));
  if (created.length === 0) return;
  const key = random.pick(created);
  await use(simulation, key);
  if (!(await revoke(simulation, key))) return;
  // An instance that can't read revocations must soon stop trusting its key cache.
  if (random.chance(0.5)) simulation.stallDatabase(4000);
  await simulation.time.delay(random.integer(0, 20) * 100);
  await use(simulation, key);
}

/**
 * Sends a request with an invalid parameter, which needs no database: 400 shows that the key was accepted, 401 that it
 * was refused. `checkResponse` compares this with the known state of the key.
 */
async function use(simulation: Simulation, key: KnownKey): Promise<void> {
  for (const instance of simulation.instances) {
    await simulation.send({ to: 'public', instance, method: 'GET', url: '/v1/transactions?limit=1', key });
  }
}

/** Sends more requests at once than the rate limit allows. `checkResponse` counts how many are admitted. */
async function exceedRate(simulation: Simulation, random: Random): Promise<void> {
  const key = random.pick(simulation.keys);
  const instance = random.pick(simulation.instances);
  const request = { to: 'public', instance, method: 'GET', url: '/v1/transactions', key } as const;
  await Promise.all(Array.from({ length: 12 }, () => simulation.send(request)));
}

/** A key that is misspelt or of the other listener, or no key, gets 401, even if the request has other faults. */
async function tryInvalidKey(simulation: Simulation, random: Random): Promise<void> {
  const { key } = random.pick(simulation.keys);
  const misspelt = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
  const invalid = random.pick([misspelt, simulation.operatorKey.key, null, 'tk_live_']);
  const url = `/v1/transactions?${random.pick(['', 'status=none', 'limit=5', 'cursor=x'])}`;
  const response = await simulation.send({ to: 'public', method: 'GET', url, key: invalid });
  if (response !== undefined) assert.equal(response.status, 401, 'an invalid key was accepted');
}
