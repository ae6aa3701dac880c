import { availableParallelism } from 'node:os';
import { FaultTrials } from '../faults/fault-trials.ts';
import { FAULTS, finderOf, type PlantedFault } from '../faults/planted-faults.ts';
import { globalSetup, globalTeardown, SERVER_VARIABLE } from '../rig/run/global-setup.ts';
import { Random } from '../rig/run/random.ts';
import { number, type Part, progress, write } from './part.ts';

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new Random(seed);
  const left = [...items];
  return items.map(() => left.splice(random.integer(0, left.length - 1), 1)[0] as Item);
}

/** Says why a test fails without its fault; undefined if it passes. */
type WhyFailing = (trials: FaultTrials, fault: PlantedFault) => Promise<string | undefined>;

/** What is wrong with a fault; undefined if its test passes without it and fails with it. */
async function judge(trials: FaultTrials, fault: PlantedFault, whyFailing: WhyFailing) {
  const what = `${fault.name} (${fault.file}): ${finderOf(fault)}`;
  const failing = await whyFailing(trials, fault);
  if (failing !== undefined) return `${what} fails without the fault\n${failing}`;
  const { isFound, output } = await trials.plant(fault);
  return isFound ? undefined : `${what} does not find it\n${output}`;
}

/** Plants each fault of the table, in another order with each seed, and runs the checks or the tests that must find it. */
export const faultsPart = (faults: readonly PlantedFault[] = FAULTS): Part => ({
  name: 'faults',
  promise: 'Each planted fault is found by the kit or the test of its promise, which passes without it',
  share: 0.25,
  goal: faults.length,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('planted faults');
    const left = shuffled(faults, first).slice(0, count);
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
    // A run of test files has a PostgreSQL server for all of them.
    const isAlone = process.env[SERVER_VARIABLE] === undefined;
    if (isAlone) await globalSetup();
    try {
      await Promise.all(Array.from({ length: availableParallelism() }, plantOneByOne));
    } finally {
      if (isAlone) await globalTeardown();
    }
    return {
      counts: { 'planted faults': planted },
      seeds: 1,
      figures: `${number(planted - wrong)} of ${number(planted)} found, in a table of ${number(faults.length)}`,
      broken: String(wrong),
    };
  },
});
