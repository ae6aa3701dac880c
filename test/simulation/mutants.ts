import { hash } from 'node:crypto';
import { NO_FILTER } from '../../src/ledger/list/list-filter.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { someEntry } from '../rig/store/audit.ts';
import { storeWith } from '../rig/store/store-with.ts';

/** An acknowledgement of a change that nobody recorded. */
const RECORDED = { outcome: 'recorded' as const, sequence: 1, nonce: 1 };

/** Each makes a correct store wrong in one way. */
export const MUTANTS: Record<string, (store: Store) => Store> = {
  'rows of every account are listed': (store) =>
    storeWith(store, {
      listTransactions: async (query, limit) => {
        const other = query.account === 'shop-1' ? 'shop-2' : 'shop-1';
        const [own, foreign] = await Promise.all([
          store.listTransactions(query, limit),
          store.listTransactions({ ...query, account: other }, limit),
        ]);
        const transactions = [...own.transactions, ...foreign.transactions]
          .sort((one, two) => two.createdAtMs - one.createdAtMs)
          .slice(0, limit);
        return { ...own, transactions };
      },
    }),

  'rows with the createdAt of the last row are skipped': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) =>
        store.listTransactions(
          query.after === null ? query : { ...query, after: { ...query.after, reference: '' } },
          limit,
        ),
    }),

  'the last row of a page is repeated on the next page': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) =>
        store.listTransactions(
          query.after === null
            ? query
            : { ...query, after: { ...query.after, reference: `${query.after.reference}\0` } },
          limit,
        ),
    }),

  'rows of the same createdAt are unordered': (store) =>
    storeWith(store, {
      listTransactions: async (query, limit) => {
        const listed = await store.listTransactions(query, limit);
        const mixed = (reference: string) => hash('sha256', reference);
        const transactions = listed.transactions.toSorted(
          (one, two) =>
            two.createdAtMs - one.createdAtMs || (mixed(one.reference) < mixed(two.reference) ? -1 : 1),
        );
        return { ...listed, transactions };
      },
    }),

  'a failed list is returned as an empty one': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) =>
        store.listTransactions(query, limit).catch(() => ({ transactions: [] })),
    }),

  'a list is one row too short': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) => store.listTransactions(query, limit - 1),
    }),

  'the filter of the first page is forgotten on the next': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) =>
        store.listTransactions(query.after === null ? query : { ...query, filter: NO_FILTER }, limit),
    }),

  'the last day of a range is left out': (store) =>
    storeWith(store, {
      listTransactions: async (query, limit) => {
        const listed = await store.listTransactions(query, limit);
        const { to } = query.filter;
        if (to === null) return listed;
        return {
          ...listed,
          transactions: listed.transactions.filter(({ createdAtMs }) => createdAtMs < Date.parse(to)),
        };
      },
    }),

  'a later page shows an older state': (store) =>
    storeWith(store, {
      listTransactions: (query, limit) => {
        if (query.after === null) return store.listTransactions(query, limit);
        const { logPosition: _, ...after } = query.after;
        return store.listTransactions({ ...query, after }, limit);
      },
    }),

  'a failed recording is acknowledged': (store) =>
    storeWith(store, {
      recordTransactions: (transactions) =>
        store.recordTransactions(transactions).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return transactions.map(() => RECORDED);
        }),
    }),

  'a completion is acknowledged and not recorded': (store) =>
    storeWith(store, {
      recordTransactions: async (transactions) => {
        const pending = transactions.map((one) => ({ ...one, status: 'pending', paidAtMs: null }));
        await store.recordTransactions(pending);
        return transactions.map(() => ({ ...RECORDED, outcome: 'changed' as const }));
      },
    }),

  'a recording of a group is dropped': (store) =>
    storeWith(store, {
      recordTransactions: async (transactions) => {
        const outcomes = await store.recordTransactions(transactions.slice(0, 5));
        return transactions.map((_, index) => outcomes[index] ?? RECORDED);
      },
    }),

  'the outcomes of a group are in the wrong order': (store) =>
    storeWith(store, {
      recordTransactions: async (transactions) => (await store.recordTransactions(transactions)).toReversed(),
    }),

  'a conflict is reported as unchanged': (store) =>
    storeWith(store, {
      recordTransactions: async (transactions) => {
        const outcomes = await store.recordTransactions(transactions);
        return outcomes.map((one) => (one.outcome === 'conflict' ? { outcome: 'unchanged' as const } : one));
      },
    }),

  'an idempotency key is not stored': (store) => {
    let used = 0;
    return storeWith(store, {
      recordOnce: (transaction, once) =>
        store.recordOnce(transaction, { ...once, key: `${once.key}${++used}` }),
    });
  },

  'lists wait for writes': (store) => {
    let written: Promise<unknown> = Promise.resolve();
    const track = <Result>(write: Promise<Result>) => {
      written = write.catch(() => {});
      return write;
    };
    return storeWith(store, {
      recordTransactions: (transactions) => track(store.recordTransactions(transactions)),
      createApiKey: (key) => track(store.createApiKey(key, someEntry())),
      listTransactions: async (query, limit) => {
        await written;
        return store.listTransactions(query, limit);
      },
    });
  },

  'a transaction is found in every account': (store) =>
    storeWith(store, {
      retrieveTransaction: async (_account, reference) =>
        (await store.retrieveTransaction('shop-1', reference)) ??
        (await store.retrieveTransaction('shop-2', reference)),
    }),

  'a failed lookup of a transaction finds none': (store) =>
    storeWith(store, {
      retrieveTransaction: (account, reference) =>
        store.retrieveTransaction(account, reference).catch(() => undefined),
    }),

  'a failed lookup of a key finds none': (store) =>
    storeWith(store, {
      findApiKey: (hashed) => store.findApiKey(hashed).catch(() => undefined),
    }),

  'a revoked key stays valid': (store) =>
    storeWith(store, {
      findApiKey: async (hashed) => {
        const found = await store.findApiKey(hashed);
        return found && { ...found, revokedAtMs: null };
      },
    }),

  'no revocation is reported': (store) => storeWith(store, { listKeyEnds: async () => [] }),

  'an expired key stays valid': (store) =>
    storeWith(store, {
      findApiKey: async (hashed) => {
        const found = await store.findApiKey(hashed);
        return found && { ...found, expiresAtMs: null };
      },
    }),
};
