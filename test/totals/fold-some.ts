import { foldChanges } from '../../src/ledger/totals/fold-totals.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../rig/random.ts';

/** Folds some changes of an account, as one of several instances that is stopped in the middle. Returns how many. */
export async function foldSome(store: Store, account: string, random: Random): Promise<number> {
  const nothing = { account, status: null, currency: null, byDay: false, days: [], months: [] };
  const { foldedSequence: from, headSequence } = await store.readRollUp(nothing);
  if (from >= headSequence) return 0;
  const upTo = random.chance(0.5) ? headSequence : random.integer(from + 1, headSequence);
  const steps = random.integer(1, 3);
  let step = 0;
  return foldChanges(
    store,
    account,
    { from, upTo },
    { isStopped: () => ++step > steps, monotonicMs: () => performance.now(), pause: async () => {} },
  );
}
