import { after } from 'node:test';

const steps: (() => void | Promise<void>)[] = [];

// Once for the process, because its test files share what was started.
after(async () => {
  for (const step of steps.reverse()) await step();
});

/** The steps run in reverse order at the end of this process. */
export const atEnd = (step: () => void | Promise<void>): number => steps.push(step);
