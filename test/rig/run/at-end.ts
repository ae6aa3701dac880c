import { after } from 'node:test';

const steps: (() => void | Promise<void>)[] = [];

// The files of a group share what the rig starts: `import-tests.ts` loads this module outside their suites.
after(async () => {
  for (const step of steps.reverse()) await step();
});

/** Adds a step for the end of all tests of this process: the last one that was added runs first. */
export const atEnd = (step: () => void | Promise<void>): number => steps.push(step);
