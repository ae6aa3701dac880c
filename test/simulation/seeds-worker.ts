import { runChunks } from '../rig/run/workers.ts';
import type { SeedsResult } from './run-seeds.ts';
import { simulate } from './simulate.ts';

// Simulated faults are hundreds of errors: without their stacks they cost less. A replay shows the stacks.
Error.stackTraceLimit = 0;

runChunks(async ({ first, count }): Promise<SeedsResult> => {
  let responses = 0;
  for (let seed = first; seed < first + count; seed++) {
    const outcome = await simulate(seed);
    responses += outcome.responses;
    if (outcome.violation !== undefined) {
      const { history, violation } = outcome;
      return {
        seeds: seed - first + 1,
        responses,
        failed: { seed, history, violation: String(violation.stack) },
      };
    }
  }
  return { seeds: count, responses, failed: undefined };
});
