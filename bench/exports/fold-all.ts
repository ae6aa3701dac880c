import { foldChanges } from '../../src/ledger/totals/fold-totals.ts';
import type { UnfoldedAccount } from '../../src/ledger/totals/totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { FilledDatabase } from '../filled-database.ts';
import { type Finding, note } from '../rig/report.ts';

const ACCOUNTS_AT_ONCE = 500;

/** Folds every change, without the pauses of the service, so that it has nothing to fold while it is measured. */
export async function foldAll({ store: name, url }: FilledDatabase): Promise<Finding[]> {
  note(`${name}: folding`);
  const { store } = await openStore(url, Date.now);
  const startedAtMs = performance.now();
  let folded = 0;
  const fold = async ({ account, foldedSequence, headSequence }: UnfoldedAccount) => {
    const range = { from: foldedSequence, upTo: headSequence };
    const options = {
      isStopped: () => false,
      monotonicMs: () => performance.now(),
      pause: () => Promise.resolve(),
    };
    const changes = await foldChanges(store, account, range, options);
    if (changes < headSequence - foldedSequence) throw new Error(`${account} was not folded`);
    folded += changes;
  };
  try {
    for (let last: string | null = ''; last !== null; ) {
      const page = await store.listUnfolded(last, ACCOUNTS_AT_ONCE);
      for (const account of page.accounts) await fold(account);
      last = page.last;
    }
  } finally {
    await store.close();
  }
  if (folded === 0) return [];
  const perSecond = (folded * 1000) / (performance.now() - startedAtMs);
  return [
    { name: `${name}: folding, without pauses, changes a second`, figure: perSecond.toFixed(0), goal: '' },
  ];
}
