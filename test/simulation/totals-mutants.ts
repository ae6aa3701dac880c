import type { DaySum, PeriodRange, StoredTotals, StoredTotalsQuery } from '../../src/ledger/totals/totals.ts';
import type { Store } from '../../src/store/store.ts';
import { storeWith } from '../rig/store/store-with.ts';
import type { Tampering } from './simulate.ts';

type ReadStoredTotals = (query: StoredTotalsQuery) => Promise<StoredTotals>;

/** A store whose stored totals are read in another way. */
const storedTotals = (change: (read: ReadStoredTotals) => ReadStoredTotals): Tampering => ({
  tamper: (store) => storeWith(store, { readStoredTotals: change((query) => store.readStoredTotals(query)) }),
});

/** A store whose changes are summed in another way. */
const sums = (change: (sums: DaySum[], store: Store, after: number) => DaySum[]): Tampering => ({
  tamper: (store) =>
    storeWith(store, {
      sumChanges: async (account, after, upTo) => {
        const changes = await store.sumChanges(account, after, upTo);
        return { ...changes, sums: change(changes.sums, store, after) };
      },
    }),
});

const withoutLastDay = ({ from, to }: PeriodRange) => ({ from, to: to === null ? null : to - 1 });

/** Each makes the totals wrong in one way. */
export const TOTALS_MUTANTS: Record<string, Tampering> = {
  'changes that are not in the stored totals are left out of totals': storedTotals(
    (read) => async (query) => {
      const { totalsSequence, ...rest } = await read(query);
      return { ...rest, totalsSequence, headSequence: totalsSequence, lastNonce: null };
    },
  ),

  'changes that are not in the stored totals are left out of totals, which claim to have them': storedTotals(
    (read) => async (query) => {
      const { headSequence, ...rest } = await read(query);
      return { ...rest, headSequence, totalsSequence: headSequence };
    },
  ),

  'a stored change is added again': storedTotals((read) => async (query) => {
    const { totalsSequence, ...rest } = await read(query);
    return { ...rest, totalsSequence: Math.max(0, totalsSequence - 1) };
  }),

  'the stored totals are not read together with their number': storedTotals((read) => async (query) => {
    const { totalsSequence } = await read(query);
    return { ...(await read(query)), totalsSequence };
  }),

  'a completed transaction is still added to the pending ones': sums((rows) =>
    rows.filter(({ count }) => count > 0),
  ),

  'the first change after the stored totals is left out': sums((rows, _store, after) =>
    after === 0 ? rows : rows.slice(1),
  ),

  'totals have the transactions of another account': storedTotals((read) => async (query) => {
    const account = query.account === 'shop-1' ? 'shop-2' : 'shop-1';
    const [own, foreign] = await Promise.all([read(query), read({ ...query, account })]);
    return { ...own, totals: [...own.totals, ...foreign.totals] };
  }),

  'totals ignore the currency': storedTotals((read) => (query) => read({ ...query, currency: null })),

  'the last day of a range is left out of totals': storedTotals(
    (read) => (query) => read({ ...query, days: query.days.map(withoutLastDay) }),
  ),

  'the whole months of a range are left out of totals': storedTotals(
    (read) => (query) => read({ ...query, months: [] }),
  ),

  'a failed read of the stored totals is returned as an empty account': storedTotals(
    (read) => (query) =>
      read(query).catch(() => ({ totals: [], totalsSequence: 0, headSequence: 0, lastNonce: null })),
  ),

  'additions by two instances at once count twice': {
    tamper: (store) =>
      storeWith(store, {
        addToTotals: async (account, from, upTo, added) => {
          const isFirst = await store.addToTotals(account, from, upTo, added);
          if (!isFirst) await store.addToTotals(account, upTo, upTo, added);
          return isFirst;
        },
      }),
  },
};
