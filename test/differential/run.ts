import assert from 'node:assert/strict';
import { Random } from '../rig/run/random.ts';
import type { Deployment } from './deployment.ts';
import { History } from './history.ts';
import { World } from './world.ts';

export interface Failure {
  error: Error;
  /** What was sent until it failed. */
  log: readonly string[];
}

/** The seeds of the steps of a history. */
export const stepsOf = (seed: number, count: number): number[] => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.next());
};

/** Runs steps on a new deployment. */
async function runSteps(
  make: () => Promise<Deployment>,
  steps: readonly number[],
): Promise<Failure | undefined> {
  const deployment = await make();
  const world = new World(deployment);
  try {
    await new History(world).run(steps);
    return undefined;
  } catch (error) {
    return { error: error as Error, log: world.log };
  } finally {
    await deployment.close();
  }
}

/** How long shorter histories are tried. */
const SHRINK_MS = 60_000;

/** The fewest steps that still fail, as far as they are found in time: halves, quarters and so on are left out while it fails. */
async function shrink(
  make: () => Promise<Deployment>,
  steps: readonly number[],
  failure: Failure,
): Promise<{ steps: readonly number[]; failure: Failure }> {
  let least = { steps, failure };
  const endsAtMs = performance.now() + SHRINK_MS;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (
      let at = Math.max(0, least.steps.length - size);
      at >= 0 && performance.now() < endsAtMs;
      at -= size
    ) {
      const fewer = least.steps.toSpliced(at, size);
      const again = await runSteps(make, fewer);
      if (again !== undefined) least = { steps: fewer, failure: again };
    }
  }
  return least;
}

const STEPS_OF_HISTORY = 60;

interface HistoriesOptions {
  /** Makes the service of a seed. */
  make: (seed: number) => Promise<Deployment>;
  /** The first seed. */
  first: number;
  count: number;
  /** How many run at the same time: most of a history is waiting for threads and processes. */
  atOnce?: number;
  endsAtMs?: number;
  onProgress?: (histories: number) => void;
}

/**
 * Runs random histories, each on a database of its own.
 *
 * Throws: an AssertionError with the seed and the requests of the shortest history found that differs.
 */
export async function runHistories(options: HistoriesOptions): Promise<{ histories: number; steps: number }> {
  const { first, count, atOnce = 1, endsAtMs = Number.POSITIVE_INFINITY, onProgress = () => {} } = options;
  const result = { histories: 0, steps: 0 };
  let begun = 0;
  let failed: { seed: number; steps: readonly number[]; failure: Failure } | undefined;
  const runNext = async () => {
    while (failed === undefined && begun < count && (begun === 0 || performance.now() < endsAtMs)) {
      const seed = first + begun++;
      const steps = stepsOf(seed, STEPS_OF_HISTORY);
      const failure = await runSteps(() => options.make(seed), steps);
      if (failure !== undefined) failed ??= { seed, steps, failure };
      result.histories++;
      result.steps += steps.length;
      onProgress(result.histories);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  if (failed !== undefined) await explain(options.make, failed);
  return result;
}

async function explain(
  make: HistoriesOptions['make'],
  { seed, steps, failure }: { seed: number; steps: readonly number[]; failure: Failure },
): Promise<never> {
  const least = await shrink(() => make(seed), steps, failure);
  const { error, log } = least.failure;
  const lines = [
    `the history of seed ${seed} differs, shortened to ${least.steps.length} of ${steps.length} steps:`,
    ...log,
    error.message,
  ];
  throw new assert.AssertionError({ message: lines.join('\n'), actual: error });
}
