import assert from 'node:assert/strict';
import type { Random } from '../rig/run/random.ts';
import type { Instance } from './instance.ts';
import { createKey } from './key-manager.ts';
import { recordBatch } from './recorder.ts';
import type { Simulation } from './simulation.ts';
import { BAD_CONDITIONS, GOOD_CONDITIONS } from './unreliable-store.ts';

const SECOND_MS = 1000;
const JUMPS_MS = [1, 60, 3600, 86_400, 90 * 86_400, 365 * 86_400, 3650 * 86_400].map(
  (seconds) => seconds * SECOND_MS,
);

/** Changes the database's conditions, stalls it, sets the clock, and replaces instances by the spare ones. */
export async function runFaultInjector(
  simulation: Simulation,
  random: Random,
  { actions, spare }: { actions: number; spare: Instance[] },
): Promise<void> {
  for (let count = 0; count < actions; count++) {
    await simulation.time.delay(random.integer(1, 20) * 100);
    const action = random.integer(0, 10);
    if (action <= 3) changeConditions(simulation, random);
    else if (action === 4) simulation.stallDatabase(random.integer(1, 50) * 100);
    else if (action <= 6) simulation.jump(random.pick(JUMPS_MS) * random.pick([-1, 1]));
    else if (action === 7) await checkHealth(simulation);
    else if (action === 8) await stallWrites(simulation, random);
    else replace(simulation, random, spare.shift());
  }
  replace(simulation, random, spare.shift());
}

function changeConditions(simulation: Simulation, random: Random): void {
  const isBad = random.chance(0.6);
  Object.assign(simulation.conditions, isBad ? BAD_CONDITIONS : GOOD_CONDITIONS);
  simulation.log(isBad ? 'calls are lost, fail and are slow' : 'the database answers');
}

/** Stalls writes for a time: recordings and new keys wait, and reads are answered at once. */
async function stallWrites(simulation: Simulation, random: Random): Promise<void> {
  const milliseconds = random.integer(5, 60) * 100;
  Object.assign(simulation.conditions, { ...GOOD_CONDITIONS, slow: 0 });
  simulation.stallWrites(milliseconds);
  const { account } = random.pick(simulation.accounts);
  const writes = Promise.all([
    recordBatch(simulation, random, simulation.knownOf(account), `stalled-${simulation.time.elapsedMs}`),
    createKey(simulation, random, `key-stalled-${simulation.time.elapsedMs}`),
  ]);
  // Awaited below; a violation may come earlier.
  writes.catch(() => {});
  while (simulation.time.elapsedMs < simulation.conditions.writesStalledUntilMs) {
    await checkReads(simulation, random);
    await simulation.time.delay(random.integer(1, 5) * 100);
  }
  await writes;
}

/** A list and /livez take no time while the database answers reads without delay. */
async function checkReads(simulation: Simulation, random: Random): Promise<void> {
  const { stalledUntilMs, lost, failing, slow } = simulation.conditions;
  // Another action may have changed the conditions.
  if (lost + failing + slow > 0 || stalledUntilMs > simulation.time.elapsedMs) return;
  const { account } = random.pick(simulation.accounts);
  const key = simulation.keys.find((one) => one.account === account && one.expiresAtMs === null);
  assert.ok(key !== undefined);
  const list = await simulation.send({ to: 'public', method: 'GET', url: '/v1/transactions', key });
  if (list !== undefined) {
    assert.ok([200, 401, 429].includes(list.status), `a list got ${list.status} while writes stalled`);
    assert.equal(list.endedMs, list.startedMs, 'a list took time while writes stalled');
  }
  const live = await simulation.send({ to: 'public', method: 'GET', url: '/livez', key: null });
  if (live !== undefined) assert.equal(live.endedMs, live.startedMs, '/livez took time');
}

/** /livez answers 200 at once, whatever the database does. */
async function checkHealth(simulation: Simulation): Promise<void> {
  const live = await simulation.send({ to: 'public', method: 'GET', url: '/livez', key: null });
  if (live === undefined) return;
  assert.equal(live.status, 200);
  assert.equal(live.endedMs, live.startedMs, '/livez took time');
  const ready = await simulation.send({ to: 'public', method: 'GET', url: '/readyz', key: null });
  if (ready !== undefined) assert.ok([200, 503].includes(ready.status));
}

/** Replaces an instance by another. The old one is killed, or answers the requests in flight. */
function replace(simulation: Simulation, random: Random, next: Instance | undefined): void {
  if (next === undefined) return;
  const replaced = random.pick(simulation.instances);
  simulation.start(next, replaced);
  const isKilled = random.chance(0.5);
  simulation.log(`${next.name} replaces ${replaced.name}, which is ${isKilled ? 'killed' : 'stopped'}`);
  if (isKilled) replaced.kill();
  else replaced.stop();
}
