import type { ChangeQuery, ChangeResult } from '../../src/ledger/changes/change.ts';
import type { Store } from '../../src/store/store.ts';
import { storeWith } from '../rig/store/store-with.ts';
import type { Tampering } from './simulate.ts';

type ListChanges = (query: ChangeQuery) => Promise<ChangeResult>;

/** A store whose changes are listed in another way. */
const listing = (change: (list: ListChanges, store: Store) => ListChanges): Tampering => ({
  tamper: (store) => storeWith(store, { listChanges: change((query) => store.listChanges(query), store) }),
});

/** All changes of an account up to a number. */
const allUpTo = (list: ListChanges, account: string, limit: number) =>
  list({ account, after: 0, limit: Math.max(1, limit) });

/** The feed without the change `left`, with the numbers closed up. */
function closedUp(
  { after, limit }: ChangeQuery,
  { changes, headSequence, floorSequence }: ChangeResult,
  left: number,
): ChangeResult {
  const rest = changes
    .filter(({ sequence }) => sequence !== left)
    .map((change, index) => ({ ...change, sequence: index + 1 }));
  return {
    last: rest[after - 1],
    changes: rest.slice(after, after + limit),
    headSequence: headSequence >= left ? headSequence - 1 : headSequence,
    floorSequence,
  };
}

/** Each makes the change feed wrong in one way. */
export const FEED_MUTANTS: Record<string, Tampering> = {
  'a number of the change feed is missing': listing((list) => async (query) => {
    const result = await list(query);
    return { ...result, changes: result.changes.filter(({ sequence }) => sequence !== 5) };
  }),

  'a change is left out, and the numbers are closed up': listing((list) => async (query) => {
    const whole = await allUpTo(list, query.account, query.after + query.limit + 1);
    return closedUp(query, whole, 5);
  }),

  'the last change of a page is repeated on the next page, with another number': listing(
    (list) => async (query) => {
      if (query.after === 0) return list(query);
      const { changes, headSequence, floorSequence } = await list({ ...query, after: query.after - 1 });
      const [last, ...following] = changes.map((change) => ({ ...change, sequence: change.sequence + 1 }));
      return {
        last: last && { ...last, sequence: query.after },
        changes: last === undefined ? [] : [last, ...following],
        headSequence: headSequence + 1,
        floorSequence,
      };
    },
  ),

  'a change of another account is in the feed': listing((list) => async (query) => {
    const account = query.account === 'shop-1' ? 'shop-2' : 'shop-1';
    const [own, foreign] = await Promise.all([list(query), list({ ...query, account })]);
    const at = own.changes.length - 1;
    const [last] = foreign.changes.slice(at, at + 1);
    return last === undefined ? own : { ...own, changes: own.changes.with(at, last) };
  }),

  'a change to pending shows the transaction as it is now': listing((list) => async (query) => {
    const { changes, ...ends } = await list(query);
    const later = await list({ ...query, after: 0, limit: Math.max(1, ends.headSequence) });
    const now = new Map(later.changes.map(({ transaction }) => [transaction.reference, transaction]));
    const shown = changes.map((change) => ({
      ...change,
      transaction: now.get(change.transaction.reference) ?? change.transaction,
    }));
    return { ...ends, changes: shown };
  }),

  'a completion has no change': listing((list) => async (query) => {
    const whole = await allUpTo(list, query.account, 10_000);
    const left = whole.changes.find(({ previousStatus }) => previousStatus !== null);
    if (left === undefined) return list(query);
    return closedUp(query, whole, left.sequence);
  }),

  'changes are numbered in another order each time': listing((list) => {
    let reads = 0;
    return async (query) => {
      const result = await list(query);
      const [first, second, ...rest] = result.changes;
      if (first === undefined || second === undefined || ++reads % 2 === 0) return result;
      const swapped = [
        { ...second, sequence: first.sequence },
        { ...first, sequence: second.sequence },
      ];
      return { ...result, changes: [...swapped, ...rest] };
    };
  }),

  'a failed read of changes is returned as the end of the feed': listing(
    (list) => (query) =>
      list(query).catch(() => ({
        last: undefined,
        changes: [],
        headSequence: query.after,
        floorSequence: 0,
      })),
  ),

  'a number beyond the head is the end of the feed': listing((list) => async (query) => {
    const result = await list(query);
    return { ...result, headSequence: Math.max(result.headSequence, query.after) };
  }),

  'the wake-up of a recording of this instance is lost': {
    tamperInstance: (instance) => {
      instance.public.changeWatcher.noteRecorded = () => {};
    },
  },

  'the wake-up of a recording of another instance is lost': {
    tamper: (store) => storeWith(store, { readHeads: async () => new Map() }),
  },

  'a wait outlives its key': {
    tamperInstance: (instance) => {
      instance.public.keyCache.endOf = () => undefined;
    },
  },

  'a wait holds back a stop': {
    tamperInstance: (instance) => {
      instance.public.changeWatcher.stop = () => {};
    },
  },
};
