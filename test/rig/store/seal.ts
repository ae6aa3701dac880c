import { type Sealer, sealUpTo } from '../../../src/ledger/seals/seals.ts';

/** Seals the changes of an account, `atMost` of them. */
export const sealAll = (store: Sealer, account: string, atMost = Number.POSITIVE_INFINITY) =>
  sealUpTo(
    store,
    account,
    { atMost },
    { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} },
  );
