import { availableParallelism } from 'node:os';
import type { NamedTest, PlantedFault } from '../faults/planted-fault.ts';
import { ProjectCopy } from '../faults/project-copy.ts';
import { FAULTS } from '../faults/promises.ts';
import { globalSetup, globalTeardown, SERVER_VARIABLE } from '../rig/global-setup.ts';
import { Random } from '../rig/random.ts';
import { number, type Part, progress, write } from './part.ts';

function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = new Random(seed);
  const left = [...items];
  return items.map(() => left.splice(random.integer(0, left.length - 1), 1)[0] as Item);
}

type Passes = (copy: ProjectCopy, test: NamedTest) => ReturnType<ProjectCopy['passes']>;

/** What is wrong with a fault; undefined if its test passes without it and fails with it. */
async function judge(copy: ProjectCopy, fault: PlantedFault, passes: Passes): Promise<string | undefined> {
  const { name, file, foundBy } = fault;
  const what = `${name} (${file}): ${foundBy.test} (${foundBy.file})`;
  const without = await passes(copy, foundBy);
  if (!without.isPassed) return `${what} fails without the fault\n${without.output}`;
  const { isFound, output } = await copy.plant(fault);
  return isFound ? undefined : `${what} does not find it\n${output}`;
}

/** Plants each fault of the table in a copy of the project, in another order with each seed, and runs the test that must find it. */
export const faultsPart = (faults: readonly PlantedFault[] = FAULTS): Part => ({
  name: 'faults',
  promise: 'Each planted fault is found by the test of its promise, which passes without it',
  share: 0.25,
  goal: faults.length,
  async run({ first, count, endsAtMs }) {
    const { onProgress } = progress('planted faults');
    const left = shuffled(faults, first).slice(0, count);
    const passing = new Map<string, ReturnType<Passes>>();
    const passes: Passes = (copy, test) => {
      const key = JSON.stringify(test);
      const found = passing.get(key) ?? copy.passes(test);
      passing.set(key, found);
      return found;
    };
    let [planted, wrong] = [0, 0];
    const plantInOneCopy = async () => {
      const copy = new ProjectCopy();
      try {
        while (left.length > 0 && performance.now() < endsAtMs) {
          const fault = await judge(copy, left.pop() as PlantedFault, passes);
          onProgress(++planted);
          if (fault === undefined) continue;
          wrong++;
          write(fault);
        }
      } finally {
        copy.remove();
      }
    };
    // A run of test files has a PostgreSQL server for all of them.
    const isAlone = process.env[SERVER_VARIABLE] === undefined;
    if (isAlone) await globalSetup();
    try {
      await Promise.all(Array.from({ length: availableParallelism() }, plantInOneCopy));
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
