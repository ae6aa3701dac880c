import { type Sealer, sealUpTo } from '../../../src/ledger/seals/seals.ts';

export const sealAll = (store: Sealer, account: string, atMost = Number.POSITIVE_INFINITY) =>
  sealUpTo(
    store,
    account,
    { atMost },
    { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} },
  );
