import { addToTotals } from '../../src/ledger/totals/add-to-totals.ts';
import type { AccountBehind } from '../../src/ledger/totals/totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { FilledDatabase } from '../filled-database.ts';
import { type Finding, note } from '../rig/report.ts';

const ACCOUNTS_AT_ONCE = 500;

/** Adds every change to the stored totals, without the pauses of the service, so that it has nothing to add while it is measured. */
export async function addAllToTotals({ store: name, url }: FilledDatabase): Promise<Finding[]> {
  note(`${name}: adding to the stored totals`);
  const { store } = await openStore(url, Date.now);
  const startedAtMs = performance.now();
  let added = 0;
  const add = async ({ account, totalsSequence, headSequence }: AccountBehind) => {
    const range = { from: totalsSequence, upTo: headSequence };
    const options = {
      isStopped: () => false,
      monotonicMs: () => performance.now(),
      pause: () => Promise.resolve(),
    };
    const changes = await addToTotals(store, account, range, options);
    if (changes < headSequence - totalsSequence) throw new Error(`${account} is not in its stored totals`);
    added += changes;
  };
  try {
    for (let last: string | null = ''; last !== null; ) {
      const page = await store.listBehind(last, ACCOUNTS_AT_ONCE);
      for (const account of page.accounts) await add(account);
      last = page.last;
    }
  } finally {
    await store.close();
  }
  if (added === 0) return [];
  const perSecond = (added * 1000) / (performance.now() - startedAtMs);
  return [
    {
      name: `${name}: adding to the stored totals, without pauses, changes a second`,
      figure: perSecond.toFixed(0),
      goal: '',
    },
  ];
}
