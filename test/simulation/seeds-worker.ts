import { takeChunks } from '../rig/workers.ts';
import type { SeedsResult } from './run-seeds.ts';
import { simulate } from './simulate.ts';

// Faults of the store are errors by the hundred, whose stacks nobody reads. The replay of a seed shows them.
Error.stackTraceLimit = 0;

takeChunks(async ({ first, count }): Promise<SeedsResult> => {
  let answers = 0;
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    answers += outcome.answers;
    if (outcome.violation !== undefined) {
      const { history, violation } = outcome;
      return {
        seeds: seed - first + 1,
        answers,
        failed: { seed, history, violation: String(violation.stack) },
      };
    }
  }
  return { seeds: count, answers, failed: undefined };
});
