import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { recordHeld, recordOnce } from '../../../src/ledger/record/record.ts';
import type { DbCalls } from '../../../src/store/calls-on-db.ts';
import type { Store } from '../../../src/store/store.ts';
import { LIST_CASES } from '../data/list-cases.ts';
import { record, transaction } from '../data/transactions.ts';

export const ACCOUNT = 'acct-0007';

type Calls = {
  [Name in Exclude<keyof Store, keyof DbCalls> as Store[Name] extends
    | ((...values: never[]) => unknown)
    | undefined
    ? Name
    : never]-?: (store: Store) => unknown;
};

const LISTS = LIST_CASES.map((query) => ({ ...query, account: ACCOUNT }));

export const USES = {
  listTransactions: async (store) => {
    for (const query of LISTS) await store.listTransactions(query, 11);
  },
  listNumbered: async (store) => {
    for (const query of LISTS) await store.listNumbered(query, 100);
  },
  record: async (store) => {
    const pending = transaction(ACCOUNT, 'new', { status: 'pending' });
    await record(store, [pending, transaction('acct-new', 'a')]);
    await record(store, [transaction(ACCOUNT, 'new'), transaction(ACCOUNT, 'other')]);
    await record(store, [transaction(ACCOUNT, 'declared', { status: 'refunded' })]);
    await recordHeld(store, transaction(ACCOUNT, 'held'));
    const once = { key: 'once', fingerprint: '0'.repeat(64) };
    await recordOnce(store, transaction(ACCOUNT, 'once'), once);
    await recordOnce(store, transaction(ACCOUNT, 'twice'), once);
  },
  listChanges: (store) => store.listChanges({ account: ACCOUNT, after: 1, limit: 10 }),
  findMissingChanges: (store) => store.findMissingChanges(ACCOUNT, [{ sequence: 1, nonce: 1, ageMs: 1 }]),
  readHeads: (store) => store.readHeads([ACCOUNT, 'acct-0008']),
  readStoredTotals: async (store) => {
    const range = { account: ACCOUNT, ...NO_FILTER, days: { from: 1, to: 9 } };
    for (const byDay of [false, true]) await store.readStoredTotals({ ...range, byDay });
  },
  sealChanges: async (store) => store.sealChanges('acct-new', await store.readSeal('acct-new'), 1),
  sumListed: async (store) => {
    const range = { fromMs: 0, beforeMs: null };
    for (const { account, filter, after } of LISTS)
      for (const paid of after === null ? [null, range] : [])
        await store.sumListed({ account, filter, range, paid, asOf: 99 }, null);
  },
  listDeliverable: async (store) => {
    await store.listDeliverable({ after: null, limit: 100 });
    await store.listDeliverable({ accounts: [ACCOUNT] });
  },
  openImport: async (store) => {
    const importing = await store.openImport();
    await importing.missingRights?.();
    await importing.accountsInUse([ACCOUNT, 'nobody']);
    await importing.retrieveTransactions(ACCOUNT, [`${ACCOUNT}.1`, 'none']);
    await importing.recordTransactions([transaction(ACCOUNT, 'imported')]);
    await importing.close();
  },
  nodeOf: (store) => store.nodeOf?.(ACCOUNT),
  nodes: (store) => store.nodes?.(),
  ping: (store) => store.ping(),
  readClock: (store) => store.readClock(),
  connectionUse: (store) => store.connectionUse(),
  onReconnected: (store) => store.onReconnected(() => {}),
  close: (store) => store.close(),
} satisfies Calls;
