import assert from 'node:assert/strict';
import type { Random } from '../rig/random.ts';
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
    const deed = random.integer(0, 9);
    if (deed <= 3) changeWeather(world, random);
    else if (deed === 4) stall(world, random.integer(1, 50) * 100);
    else if (deed <= 6) world.jump(random.pick(JUMPS_MS) * random.pick([-1, 1]));
    else if (deed === 7) await lookIn(world);
    else replace(world, random, spare.shift());
  }
  replace(world, random, spare.shift());
}

function changeWeather(world: World, random: Random): void {
  const isStorm = random.chance(0.6);
  Object.assign(world.weather, isStorm ? STORM : FAIR);
  world.tell(isStorm ? 'calls are lost, fail and take long' : 'the database answers');
}

/** Nothing comes through to the database for a time. */
export function stall(world: World, milliseconds: number): void {
  world.weather.stalledUntilMs = world.time.elapsedMs + milliseconds;
  world.tell(`the database stalls for ${milliseconds} ms`);
}

/** A process that lives says so at once, whatever its database does. */
async function lookIn(world: World): Promise<void> {
  const answer = await world.ask({ to: 'public', method: 'GET', url: '/livez', key: null });
  if (answer === undefined) return;
  assert.equal(answer.status, 200);
  assert.equal(answer.endedMs, answer.startedMs, '/livez took time');
  const ready = await world.ask({ to: 'public', method: 'GET', url: '/readyz', key: null });
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
