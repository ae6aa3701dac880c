import assert from 'node:assert/strict';
import { NO_FILTER } from '../../src/core/list/list-filter.ts';
import type { Store } from '../../src/core/store.ts';
import { Random } from '../rig/random.ts';
import { keyKeeper } from './keeper.ts';
import { recordAtLast, recorder } from './recorder.ts';
import { trouble } from './trouble.ts';
import { FAIR, STORM } from './unreliable-store.ts';
import { follower, walker, walkOnce } from './walker.ts';
import { type Instance, World } from './world.ts';

export interface Outcome {
  seed: number;
  answers: number;
  /** Everything that happened, in its order. */
  history: readonly string[];
  /** What was wrong, or undefined. */
  violation: Error | undefined;
}

const LONGEST_MS = 300_000;

/**
 * Runs the whole service through a history that the seed decides, and checks every answer.
 *
 * `tamper` breaks the store, to prove that it is noticed.
 */
export async function simulate(seed: number, tamper?: (store: Store) => Store): Promise<Outcome> {
  const random = new Random(seed);
  const world = new World({
    random,
    cursorLifetimeSeconds: random.chance(0.3) ? random.integer(1, 5) : 86_400,
    rateLimit: random.chance(0.2) ? { perSecond: 2, burst: 4 } : null,
    maxLagMs: random.chance(0.2) ? 3000 : 0,
    ...(tamper && { tamper }),
  });
  let violation: Error | undefined;
  try {
    await live(world, random);
  } catch (error) {
    violation = error as Error;
    world.tell(`VIOLATION: ${violation.message}`);
  } finally {
    await world.time.end();
  }
  return { seed, answers: world.answers, history: world.history, violation };
}

async function live(world: World, random: Random): Promise<void> {
  const { first, spare } = await buildInstances(world, random);
  for (const instance of first) world.start(instance);
  Object.assign(world.weather, random.chance(0.5) ? STORM : FAIR);

  const actors = [
    recorder(world, random.fork(), 'a', random.integer(3, 8)),
    recorder(world, random.fork(), 'b', random.integer(0, 5)),
    walker(world, random.fork(), random.integer(1, 2)),
    walker(world, random.fork(), random.integer(1, 2)),
    keyKeeper(world, random.fork(), random.integer(0, 4)),
    trouble(world, random.fork(), { deeds: random.integer(1, 8), spare }),
  ];
  if (world.options.maxLagMs > 0) actors.push(follower(world, random.fork()));
  await pass(world, Promise.all(actors));

  Object.assign(world.weather, { ...FAIR, slow: 0, stalledUntilMs: 0, writersStalledUntilMs: 0 });
  world.tell('the database answers, for good');
  await pass(world, world.time.delay(LAST_CALLS_MS));
  await pass(world, checkTheEnd(world, random));
}

/** After it, every call from before has ended, the rate's tokens are back, and replicas have caught up. */
const LAST_CALLS_MS = 8000;

/** Some histories have two processes of one secret; in the others, the secrets change with the process. */
async function buildInstances(
  world: World,
  random: Random,
): Promise<{ first: Instance[]; spare: Instance[] }> {
  let secrets = ['secret 0'];
  const build = (name: string) => world.build(name, secrets);
  const first = [await build('A')];
  const spare: Instance[] = [];
  if (random.chance(0.15)) first.push(await build('B'));
  else if (random.chance(0.3)) {
    if (random.chance(0.7)) secrets = ['secret 1', ...(random.chance(0.7) ? secrets : [])];
    spare.push(await build('B'));
  }
  return { first, spare };
}

/** Lets time pass until some work is done. */
async function pass<Done>(world: World, work: Promise<Done>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  await world.time.settle();
  while (!isDone) {
    assert.ok(world.time.elapsedMs < LONGEST_MS, 'a request was never answered');
    await world.time.step();
  }
  await done;
}

/** Once the faults are over, everything that was acknowledged is there, at the first try. */
async function checkTheEnd(world: World, random: Random): Promise<void> {
  for (const { account } of world.accounts) {
    const key = world.keys.find((one) => one.account === account);
    assert.ok(key !== undefined);
    const { cursorLifetimeSeconds } = world.options;
    const isWhole = await walkOnce(world, random, key, NO_FILTER);
    assert.ok(isWhole || cursorLifetimeSeconds < 10, 'a walk did not come to its end after the faults');
    await recordAtLast(world, random, account);
  }
  const { operatorKey: key } = world;
  const listed = await world.send({ to: 'operator', method: 'GET', url: '/v1/accounts/shop-1/keys', key });
  assert.equal(listed?.status, 200);
}
