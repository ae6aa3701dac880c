import { after } from 'node:test';

const steps: (() => void | Promise<void>)[] = [];

// Files of one process share what the rig starts.
after(async () => {
  for (const step of steps.reverse()) await step();
});

/** Adds a step for the end of all tests of this process: the last one that was added runs first. */
export const atEnd = (step: () => void | Promise<void>): number => steps.push(step);
