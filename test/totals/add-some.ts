import { addToTotals } from '../../src/ledger/totals/add-to-totals.ts';
import { readNumbers } from '../../src/ledger/totals/utc-totals.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../rig/run/random.ts';

/** Adds some changes of an account, as one of several instances that is stopped in the middle. Returns how many. */
export async function addSomeToTotals(store: Store, account: string, random: Random): Promise<number> {
  const { totalsSequence: from, headSequence } = await readNumbers(store, account);
  if (from >= headSequence) return 0;
  const upTo = random.chance(0.5) ? headSequence : random.integer(from + 1, headSequence);
  const steps = random.integer(1, 3);
  let step = 0;
  return addToTotals(
    store,
    account,
    { from, upTo },
    { isStopped: () => ++step > steps, monotonicMs: () => performance.now(), pause: async () => {} },
  );
}
