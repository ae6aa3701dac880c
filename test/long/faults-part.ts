import { availableParallelism } from 'node:os';
import { FaultTrials } from '../faults/fault-trials.ts';
import { FAULTS, finderOf, type PlantedFault } from '../faults/planted-faults.ts';
import { globalSetup, globalTeardown, SERVER_VARIABLE } from '../rig/run/global-setup.ts';
import { Random } from '../rig/run/random.ts';
import { type Part, progress, write } from './part.ts';

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new Random(seed);
  const left = [...items];
  return items.map(() => left.splice(random.integer(0, left.length - 1), 1)[0] as Item);
}

/** Returns why the test of a planted fault fails on the unchanged source; undefined if it passes. */
type WhyFailing = (trials: FaultTrials, fault: PlantedFault) => Promise<string | undefined>;

/**
 * What is wrong with a fault: its test fails without the fault, or passes with the fault. Undefined if
 * nothing is.
 */
async function judge(trials: FaultTrials, fault: PlantedFault, whyFailing: WhyFailing) {
  const what = `${fault.name} (${fault.file}): ${finderOf(fault)}`;
  const failing = await whyFailing(trials, fault);
  if (failing !== undefined) return `${what} fails without the fault\n${failing}`;
  const { isFound, output } = await trials.plant(fault);
  return isFound ? undefined : `${what} does not find it\n${output}`;
}

/** Plants each fault of the table, in an order that the seed decides, and runs what must find the fault. */
export const faultsPart: Part = {
  name: 'faults',
  promise: 'Each planted fault is found by the kit or the test of its promise, which passes without it',
  share: 0.3,
  async run({ first, endsAtMs }) {
    const onProgress = progress('planted faults');
    const left = shuffled(FAULTS, first);
    const known = new Map<string, ReturnType<WhyFailing>>();
    const whyFailing: WhyFailing = (trials, fault) => {
      const key = finderOf(fault);
      const failing = known.get(key) ?? trials.whyFailing(fault);
      known.set(key, failing);
      return failing;
    };
    let [planted, wrong] = [0, 0];
    const plantOneByOne = async () => {
      const trials = new FaultTrials();
      try {
        while (left.length > 0 && performance.now() < endsAtMs) {
          const fault = await judge(trials, left.pop() as PlantedFault, whyFailing);
          onProgress(++planted);
          if (fault === undefined) continue;
          wrong++;
          write(fault);
        }
      } finally {
        trials.remove();
      }
    };
    // If several test files run, they share a PostgreSQL server, which exists already.
    const isAlone = process.env[SERVER_VARIABLE] === undefined;
    if (isAlone) await globalSetup();
    try {
      await Promise.all(Array.from({ length: availableParallelism() }, plantOneByOne));
    } finally {
      if (isAlone) await globalTeardown();
    }
    if (wrong > 0) throw new Error(`${wrong} of ${planted} planted faults are not found`);
    return `${planted} of ${FAULTS.length} planted faults`;
  },
};
