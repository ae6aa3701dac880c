import { after } from 'node:test';

const steps: (() => void | Promise<void>)[] = [];

after(async () => {
  for (const step of steps.reverse()) await step();
});

export const atEnd = (step: () => void | Promise<void>): number => steps.push(step);
