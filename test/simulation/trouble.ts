import assert from 'node:assert/strict';
import type { Random } from '../rig/random.ts';
import { makeKey } from './keeper.ts';
import { recordBatch } from './recorder.ts';
import { FAIR, STORM } from './unreliable-store.ts';
import type { Instance, World } from './world.ts';

const SECOND_MS = 1000;
const JUMPS_MS = [1, 60, 3600, 86_400, 90 * 86_400, 365 * 86_400, 3650 * 86_400].map(
  (seconds) => seconds * SECOND_MS,
);

/** Changes the weather, stalls the database, sets the clock, and replaces processes by those that stand ready. */
export async function trouble(
  world: World,
  random: Random,
  { deeds, spare }: { deeds: number; spare: Instance[] },
): Promise<void> {
  for (let count = 0; count < deeds; count++) {
    await world.time.delay(random.integer(1, 20) * 100);
    const deed = random.integer(0, 10);
    if (deed <= 3) changeWeather(world, random);
    else if (deed === 4) world.stall(random.integer(1, 50) * 100);
    else if (deed <= 6) world.jump(random.pick(JUMPS_MS) * random.pick([-1, 1]));
    else if (deed === 7) await lookIn(world);
    else if (deed === 8) await stallWriters(world, random);
    else replace(world, random, spare.shift());
  }
  replace(world, random, spare.shift());
}

function changeWeather(world: World, random: Random): void {
  const isStorm = random.chance(0.6);
  Object.assign(world.weather, isStorm ? STORM : FAIR);
  world.tell(isStorm ? 'calls are lost, fail and take long' : 'the database answers');
}

/** Nothing is written for a time: recordings and keys wait, and whatever only reads is answered at once. */
async function stallWriters(world: World, random: Random): Promise<void> {
  const milliseconds = random.integer(5, 60) * 100;
  Object.assign(world.weather, { ...FAIR, slow: 0 });
  world.stallWriters(milliseconds);
  const { account } = random.pick(world.accounts);
  const writes = Promise.all([
    recordBatch(world, random, world.factsOf(account), `stalled-${world.time.elapsedMs}`),
    makeKey(world, random, `key-stalled-${world.time.elapsedMs}`),
  ]);
  // Awaited below; a violation may come before.
  writes.catch(() => {});
  while (world.time.elapsedMs < world.weather.writersStalledUntilMs) {
    await readAtOnce(world, random);
    await world.time.delay(random.integer(1, 5) * 100);
  }
  await writes;
}

/** A list and /livez take no time while the database answers reads without delay. */
async function readAtOnce(world: World, random: Random): Promise<void> {
  const { stalledUntilMs, lost, failing, slow } = world.weather;
  // Another deed may have changed the weather meanwhile.
  if (lost + failing + slow > 0 || stalledUntilMs > world.time.elapsedMs) return;
  const { account } = random.pick(world.accounts);
  const key = world.keys.find((one) => one.account === account && one.expiresAtMs === null);
  assert.ok(key !== undefined);
  const list = await world.send({ to: 'public', method: 'GET', url: '/v1/transactions', key });
  if (list !== undefined) {
    assert.ok([200, 401, 429].includes(list.status), `a list got ${list.status} while writes stalled`);
    assert.equal(list.endedMs, list.startedMs, 'a list took time while writes stalled');
  }
  const live = await world.send({ to: 'public', method: 'GET', url: '/livez', key: null });
  if (live !== undefined) assert.equal(live.endedMs, live.startedMs, '/livez took time');
}

/** A process that lives says so at once, whatever its database does. */
async function lookIn(world: World): Promise<void> {
  const answer = await world.send({ to: 'public', method: 'GET', url: '/livez', key: null });
  if (answer === undefined) return;
  assert.equal(answer.status, 200);
  assert.equal(answer.endedMs, answer.startedMs, '/livez took time');
  const ready = await world.send({ to: 'public', method: 'GET', url: '/readyz', key: null });
  if (ready !== undefined) assert.ok([200, 503].includes(ready.status));
}

/** Another process takes the place of one, which is killed, or answers what it has in hand. */
function replace(world: World, random: Random, next: Instance | undefined): void {
  if (next === undefined) return;
  const replaced = random.pick(world.instances);
  world.start(next, replaced);
  const isKilled = random.chance(0.5);
  world.tell(`${next.name} takes the place of ${replaced.name}, which is ${isKilled ? 'killed' : 'stopped'}`);
  if (isKilled) replaced.kill();
}
