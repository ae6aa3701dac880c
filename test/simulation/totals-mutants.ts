import type { DaySum, PeriodRange, RollUp, RollUpQuery } from '../../src/ledger/totals/totals.ts';
import type { Store } from '../../src/store/store.ts';
import { storeWith } from '../rig/store-with.ts';
import type { Tampering } from './simulate.ts';

type ReadRollUp = (query: RollUpQuery) => Promise<RollUp>;

/** A store whose roll-up is read in another way. */
const rollUp = (change: (read: ReadRollUp) => ReadRollUp): Tampering => ({
  tamper: (store) => storeWith(store, { readRollUp: change((query) => store.readRollUp(query)) }),
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
  'changes that are not folded are left out of totals': rollUp((read) => async (query) => {
    const { foldedSequence, ...rest } = await read(query);
    return { ...rest, foldedSequence, headSequence: foldedSequence, lastNonce: null };
  }),

  'changes that are not folded are left out of totals, which claim to have them': rollUp(
    (read) => async (query) => {
      const { headSequence, ...rest } = await read(query);
      return { ...rest, headSequence, foldedSequence: headSequence };
    },
  ),

  'a folded change is added again': rollUp((read) => async (query) => {
    const { foldedSequence, ...rest } = await read(query);
    return { ...rest, foldedSequence: Math.max(0, foldedSequence - 1) };
  }),

  'the roll-up is not read together with its number': rollUp((read) => async (query) => {
    const { foldedSequence } = await read(query);
    return { ...(await read(query)), foldedSequence };
  }),

  'a completed transaction is still added to the pending ones': sums((rows) =>
    rows.filter(({ count }) => count > 0),
  ),

  'the first change that is not folded is left out': sums((rows, _store, after) =>
    after === 0 ? rows : rows.slice(1),
  ),

  'totals have the transactions of another account': rollUp((read) => async (query) => {
    const account = query.account === 'shop-1' ? 'shop-2' : 'shop-1';
    const [own, foreign] = await Promise.all([read(query), read({ ...query, account })]);
    return { ...own, totals: [...own.totals, ...foreign.totals] };
  }),

  'totals ignore the currency': rollUp((read) => (query) => read({ ...query, currency: null })),

  'the last day of a range is left out of totals': rollUp(
    (read) => (query) => read({ ...query, days: query.days.map(withoutLastDay) }),
  ),

  'the whole months of a range are left out of totals': rollUp(
    (read) => (query) => read({ ...query, months: [] }),
  ),

  'a failed read of the roll-up is returned as an empty account': rollUp(
    (read) => (query) =>
      read(query).catch(() => ({ totals: [], foldedSequence: 0, headSequence: 0, lastNonce: null })),
  ),

  'folding by two instances at once counts twice': {
    tamper: (store) =>
      storeWith(store, {
        fold: async (account, from, upTo, added) => {
          const isFirst = await store.fold(account, from, upTo, added);
          if (!isFirst) await store.fold(account, upTo, upTo, added);
          return isFirst;
        },
      }),
  },
};
