import { hash } from 'node:crypto';
import { NO_FILTER } from '../../src/core/list/list-filter.ts';
import type { Store } from '../../src/core/store.ts';
import { StoreUnavailable } from '../../src/core/store.ts';

/** Stores that are wrong in one way each, on top of one that is right. */
export const MUTANTS: Record<string, (store: Store) => Store> = {
  'rows of every account are listed': (store) => ({
    ...store,
    listTransactions: async (question, limit) => {
      const other = question.account === 'shop-1' ? 'shop-2' : 'shop-1';
      const [own, foreign] = await Promise.all([
        store.listTransactions(question, limit),
        store.listTransactions({ ...question, account: other }, limit),
      ]);
      const transactions = [...own.transactions, ...foreign.transactions]
        .sort((one, two) => two.createdAtMs - one.createdAtMs)
        .slice(0, limit);
      return { ...own, transactions };
    },
  }),

  'rows as old as the last one are passed over': (store) => ({
    ...store,
    listTransactions: (question, limit) =>
      store.listTransactions(
        question.after === null ? question : { ...question, after: { ...question.after, reference: '' } },
        limit,
      ),
  }),

  'the last row of a page begins the next one': (store) => ({
    ...store,
    listTransactions: (question, limit) =>
      store.listTransactions(
        question.after === null
          ? question
          : { ...question, after: { ...question.after, reference: `${question.after.reference}\0` } },
        limit,
      ),
  }),

  'rows of one time stand in no order': (store) => ({
    ...store,
    listTransactions: async (question, limit) => {
      const listed = await store.listTransactions(question, limit);
      const mixed = (reference: string) => hash('sha256', reference);
      const transactions = listed.transactions.toSorted(
        (one, two) =>
          two.createdAtMs - one.createdAtMs || (mixed(one.reference) < mixed(two.reference) ? -1 : 1),
      );
      return { ...listed, transactions };
    },
  }),

  'a list that can not be read is an empty one': (store) => ({
    ...store,
    listTransactions: (question, limit) =>
      store.listTransactions(question, limit).catch(() => ({ transactions: [] })),
  }),

  'a list that can not be read whole is a short one': (store) => ({
    ...store,
    listTransactions: (question, limit) => store.listTransactions(question, limit - 1),
  }),

  'the filter of the first page is forgotten on the next': (store) => ({
    ...store,
    listTransactions: (question, limit) =>
      store.listTransactions(question.after === null ? question : { ...question, filter: NO_FILTER }, limit),
  }),

  'the last day of a range is left out': (store) => ({
    ...store,
    listTransactions: async (question, limit) => {
      const listed = await store.listTransactions(question, limit);
      const { to } = question.filter;
      if (to === null) return listed;
      return {
        ...listed,
        transactions: listed.transactions.filter(({ createdAtMs }) => createdAtMs < Date.parse(to)),
      };
    },
  }),

  'a later page is read from an older state': (store) => ({
    ...store,
    listTransactions: (question, limit) => {
      if (question.after === null) return store.listTransactions(question, limit);
      const { logPosition: _, ...after } = question.after;
      return store.listTransactions({ ...question, after }, limit);
    },
  }),

  'a lost recording is acknowledged': (store) => ({
    ...store,
    recordTransactions: (transactions) =>
      store.recordTransactions(transactions).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        return transactions.map(() => ({ outcome: 'recorded' as const }));
      }),
  }),

  'a payment is acknowledged, and not recorded': (store) => ({
    ...store,
    recordTransactions: async (transactions) => {
      const kept = transactions.map((one) => ({ ...one, status: 'pending', paidAtMs: null }));
      await store.recordTransactions(kept);
      return transactions.map(() => ({ outcome: 'changed' as const }));
    },
  }),

  'one recording of a group is forgotten': (store) => ({
    ...store,
    recordTransactions: async (transactions) => {
      const outcomes = await store.recordTransactions(transactions.slice(0, 5));
      return transactions.map((_, index) => outcomes[index] ?? { outcome: 'recorded' as const });
    },
  }),

  'the outcomes of a group are told in a wrong order': (store) => ({
    ...store,
    recordTransactions: async (transactions) => (await store.recordTransactions(transactions)).toReversed(),
  }),

  'a contradiction is told as unchanged': (store) => ({
    ...store,
    recordTransactions: async (transactions) => {
      const outcomes = await store.recordTransactions(transactions);
      return outcomes.map((one) => (one.outcome === 'conflict' ? { outcome: 'unchanged' as const } : one));
    },
  }),

  'an idempotency key is forgotten': (store) => {
    let used = 0;
    return {
      ...store,
      recordOnce: (transaction, once) =>
        store.recordOnce(transaction, { ...once, key: `${once.key}${++used}` }),
    };
  },

  'lists wait for what is being written': (store) => {
    let written: Promise<unknown> = Promise.resolve();
    const noted = <Answer>(write: Promise<Answer>) => {
      written = write.catch(() => {});
      return write;
    };
    return {
      ...store,
      recordTransactions: (transactions) => noted(store.recordTransactions(transactions)),
      createApiKey: (key) => noted(store.createApiKey(key)),
      listTransactions: async (question, limit) => {
        await written;
        return store.listTransactions(question, limit);
      },
    };
  },

  'a reference is found in every account': (store) => ({
    ...store,
    retrieveTransaction: async (_account, reference) =>
      (await store.retrieveTransaction('shop-1', reference)) ??
      (await store.retrieveTransaction('shop-2', reference)),
  }),

  'a transaction that can not be looked up is none': (store) => ({
    ...store,
    retrieveTransaction: (account, reference) =>
      store.retrieveTransaction(account, reference).catch(() => undefined),
  }),

  'a key that can not be looked up is none': (store) => ({
    ...store,
    findApiKey: (hashed) => store.findApiKey(hashed).catch(() => undefined),
  }),

  'a revoked key stays good': (store) => ({
    ...store,
    findApiKey: async (hashed) => {
      const found = await store.findApiKey(hashed);
      return found && { ...found, revokedAtMs: null };
    },
  }),

  'nobody hears of a revocation': (store) => ({ ...store, listRecentlyRevoked: async () => [] }),

  'an expired key stays good': (store) => ({
    ...store,
    findApiKey: async (hashed) => {
      const found = await store.findApiKey(hashed);
      return found && { ...found, expiresAtMs: null };
    },
  }),
};
