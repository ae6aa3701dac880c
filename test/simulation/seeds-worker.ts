import { takeChunks } from '../rig/workers.ts';
import type { SeedsResult } from './run-seeds.ts';
import { simulate } from './simulate.ts';

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
