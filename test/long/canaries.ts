import type { Part } from './part.ts';

/** Parts whose result is known: their test proves that the long run reports what it finds. */
export const CANARIES: readonly Part[] = [
  {
    name: 'canary-broken',
    promise: 'This promise is broken',
    share: 1,
    run: async () => ({ howMuch: '1 look', broken: '1' }),
  },
  {
    name: 'canary-throws',
    promise: 'This check throws',
    share: 1,
    run: async () => {
      throw new Error('a failed check');
    },
  },
  {
    name: 'canary-hangs',
    promise: 'This check never ends',
    share: 1,
    run: () => new Promise(() => setInterval(() => {}, 1000)),
  },
  {
    name: 'canary-passes',
    promise: 'This promise is kept',
    share: 1,
    run: async () => ({ howMuch: '1 look', broken: '0' }),
  },
];
