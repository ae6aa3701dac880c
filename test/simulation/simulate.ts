import assert from 'node:assert/strict';
import { EVERYTHING } from '../model/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { runFaultInjector } from './fault-injector.ts';
import { checkWaitsEnd, Follower } from './follower.ts';
import type { Instance } from './instance.ts';
import { runKeyManager } from './key-manager.ts';
import { runRecorder } from './recorder.ts';
import { Simulation } from './simulation.ts';
import { runTotalsReader } from './totals-reader.ts';
import { BAD_CONDITIONS, GOOD_CONDITIONS } from './unreliable-store.ts';
import { runReplicaWalker, runWalker, walkOnce } from './walker.ts';

export interface Outcome {
  seed: number;
  responses: number;
  /** All events, in their order. */
  history: readonly string[];
  /** The first broken promise, if any. */
  violation: Error | undefined;
}

const LONGEST_MS = 300_000;

/**
 * Runs the whole service through a history that the seed decides, and checks every response.
 */
export async function simulate(seed: number): Promise<Outcome> {
  const random = new Random(seed);
  const simulation = new Simulation({
    random,
    cursorLifetimeSeconds: random.chance(0.3) ? random.integer(1, 5) : 86_400,
    rateLimit: random.chance(0.2) ? { perSecond: 2, burst: 4 } : null,
    maxLagMs: random.chance(0.2) ? 3000 : 0,
  });
  let violation: Error | undefined;
  try {
    await runHistory(simulation, random);
  } catch (error) {
    violation = error as Error;
    simulation.log(`VIOLATION: ${violation.message}`);
  } finally {
    await simulation.time.end();
  }
  return { seed, responses: simulation.responses, history: simulation.history, violation };
}

async function runHistory(simulation: Simulation, random: Random): Promise<void> {
  const { first, spare } = await buildInstances(simulation, random);
  for (const instance of first) simulation.start(instance);
  Object.assign(simulation.conditions, random.chance(0.5) ? BAD_CONDITIONS : GOOD_CONDITIONS);

  const followers = simulation.accounts.map(({ account }) => new Follower(simulation, account));
  const actors = [
    runRecorder(simulation, random.fork(), 'a', random.integer(3, 7)),
    runRecorder(simulation, random.fork(), 'b', random.integer(0, 5)),
    runWalker(simulation, random.fork(), random.integer(1, 2)),
    runWalker(simulation, random.fork(), random.integer(1, 2)),
    random.pick(followers).run(random.fork(), random.integer(0, 3)),
    runTotalsReader(simulation, random.fork(), random.integer(0, 4)),
    runKeyManager(simulation, random.fork(), random.integer(0, 4)),
    runFaultInjector(simulation, random.fork(), { actions: random.integer(1, 8), spare }),
  ];
  if (simulation.options.maxLagMs > 0) actors.push(runReplicaWalker(simulation, random.fork()));
  await passUntil(simulation, Promise.all(actors));

  Object.assign(simulation.conditions, {
    ...GOOD_CONDITIONS,
    slow: 0,
    stalledUntilMs: 0,
    writesStalledUntilMs: 0,
  });
  simulation.log('the faults are over');
  await passUntil(simulation, simulation.time.delay(SETTLE_MS));
  await passUntil(simulation, checkAfterFaults(simulation, random, followers));
}

/** Long enough for calls in flight to end, rate limits to refill and replicas to catch up. */
const SETTLE_MS = 8000;

/** Some histories begin with two instances; some replace one, with the same secrets or rotated ones. */
async function buildInstances(
  simulation: Simulation,
  random: Random,
): Promise<{ first: Instance[]; spare: Instance[] }> {
  let secrets = ['secret 0'];
  const build = (name: string) => simulation.build(name, secrets);
  const first = [await build('A')];
  const spare: Instance[] = [];
  if (random.chance(0.15)) first.push(await build('B'));
  else if (random.chance(0.3)) {
    if (random.chance(0.7)) secrets = ['secret 1', ...(random.chance(0.7) ? secrets : [])];
    spare.push(await build('B'));
  }
  return { first, spare };
}

/** Lets simulated time pass until some work is done. */
async function passUntil<Done>(simulation: Simulation, work: Promise<Done>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  await simulation.time.settle();
  while (!isDone) {
    assert.ok(simulation.time.elapsedMs < LONGEST_MS, 'a request was never answered');
    await simulation.time.step();
  }
  await done;
}

/** After the faults, every request succeeds at the first attempt, every acknowledged transaction is listed and has its changes. */
async function checkAfterFaults(
  simulation: Simulation,
  random: Random,
  followers: readonly Follower[],
): Promise<void> {
  for (const follower of followers) {
    const key = simulation.keys.find(({ account }) => account === follower.account);
    assert.ok(key !== undefined);
    const { cursorLifetimeSeconds } = simulation.options;
    const isWhole = await walkOnce(simulation, random, key, EVERYTHING);
    assert.ok(isWhole || cursorLifetimeSeconds < 10, 'a walk did not end after the faults');
    await follower.checkAfterFaults(random);
  }
  const { operatorKey: key } = simulation;
  const listed = await simulation.send({
    to: 'operator',
    method: 'GET',
    url: '/v1/accounts/shop-1/keys',
    key,
  });
  assert.equal(listed?.status, 200);
  await checkWaitsEnd(simulation, random, followers);
}
