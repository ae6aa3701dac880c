import { after } from 'node:test';

const steps: (() => void | Promise<void>)[] = [];

// Once for the process, because its test files share what the rig starts.
after(async () => {
  for (const step of steps.reverse()) await step();
});

/** Adds a step for the end of all tests of this process. Steps run in reverse order. */
export const atEnd = (step: () => void | Promise<void>): number => steps.push(step);
