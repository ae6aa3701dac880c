import type { PartResult } from './long-run-table.ts';
import type { Part } from './part.ts';

const look = (broken: string): PartResult => ({ counts: { looks: 1 }, seeds: 1, figures: '', broken });

/** Parts whose result is known: their test proves that the long run reports what it finds. */
export const CANARIES: readonly Part[] = [
  {
    name: 'canary-broken',
    promise: 'This promise is broken',
    share: 1,
    goal: 3,
    run: async () => look('1'),
  },
  {
    name: 'canary-throws',
    promise: 'This check throws',
    share: 1,
    goal: 3,
    run: async () => {
      throw new Error('a failed check');
    },
  },
  {
    name: 'canary-exits',
    promise: 'The process of this check ends',
    share: 1,
    goal: 3,
    run: async () => process.exit(7),
  },
  {
    name: 'canary-hangs',
    promise: 'This check never ends',
    share: 1,
    goal: 3,
    run: () => new Promise(() => setInterval(() => {}, 1000)),
  },
  {
    name: 'canary-passes',
    promise: 'This promise is kept',
    share: 1,
    goal: 3,
    run: async () => look('0'),
  },
];
