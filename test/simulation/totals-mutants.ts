import type { CountedTotals, StoredTotalsQuery } from '../../src/ledger/totals/totals.ts';
import { storeWith } from '../rig/store/store-with.ts';
import type { Tampering } from './simulate.ts';

type ReadStoredTotals = (query: StoredTotalsQuery) => Promise<CountedTotals>;

/** A store whose stored totals are read in another way. */
const storedTotals = (change: (read: ReadStoredTotals) => ReadStoredTotals): Tampering => ({
  tamper: (store) => storeWith(store, { readStoredTotals: change((query) => store.readStoredTotals(query)) }),
});

/** Each makes the totals wrong in one way. */
export const TOTALS_MUTANTS: Record<string, Tampering> = {
  'the last change is left out of totals, which claim to have it': storedTotals((read) => async (query) => {
    const { asOf, ...rest } = await read(query);
    return { ...rest, asOf: asOf + 1 };
  }),

  'the stored totals are not read together with their number': storedTotals((read) => async (query) => {
    const { asOf } = await read(query);
    return { ...(await read(query)), asOf };
  }),

  'a completed transaction is still added to the pending ones': storedTotals((read) => async (query) => {
    const { totals, ...rest } = await read(query);
    return { ...rest, totals: totals.filter(({ count }) => count > 0) };
  }),

  'totals have the transactions of another account': storedTotals((read) => async (query) => {
    const account = query.account === 'shop-1' ? 'shop-2' : 'shop-1';
    const [own, foreign] = await Promise.all([read(query), read({ ...query, account })]);
    return { ...own, totals: [...own.totals, ...foreign.totals] };
  }),

  'totals ignore the currency': storedTotals((read) => (query) => read({ ...query, currency: null })),

  'the last day of a range is left out of totals': storedTotals((read) => ({ days, ...query }) => {
    const to = days?.to ?? null;
    return read({ ...query, days: days && { ...days, to: to === null ? null : to - 1 } });
  }),

  'a failed read of the stored totals is returned as an empty account': storedTotals(
    (read) => (query) => read(query).catch(() => ({ totals: [], asOf: 0, lastNonce: null })),
  ),
};
