import type { Export } from '../../../src/ledger/exports/export.ts';
import { NO_EXPORT_FILTER } from '../../../src/ledger/exports/export-filter.ts';
import type { Store } from '../../../src/store/store.ts';
import { apiKey } from '../../store/api-keys-contract.ts';
import { LIST_CASES } from '../data/list-cases.ts';
import { record, transaction } from '../data/transactions.ts';
import { failure, idOf, progress, webhook } from '../webhooks/webhooks.ts';
import { someEntry } from './audit.ts';

/** The accounts that have rows in every table, and their rows in the larger ones. */
export const ACCOUNTS = 400;
export const ROWS_OF_ACCOUNT = 50;
const NAME = `'acct-' || lpad(a::text, 4, '0')`;
const EACH = `generate_series(1, ${ACCOUNTS}) AS a`;
const EACH_ROW = `${EACH}, generate_series(1, ${ROWS_OF_ACCOUNT}) AS n`;

/** Fills every table whose rows become more with accounts, transactions or time. */
export const FILL_TABLES = [
  `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
     final_sequence, final_recorded_at_ms, final_nonce)
   SELECT ${NAME}, n * 1000, ${NAME} || '.' || n, 'order-' || n % 5, 'completed', n, 'EUR', n, n, n, n FROM ${EACH_ROW}`,
  `INSERT INTO accounts (account, head_sequence) SELECT ${NAME}, ${ROWS_OF_ACCOUNT} FROM ${EACH}`,
  `INSERT INTO daily_totals (account, day, currency_code, status, count, amount) SELECT ${NAME}, n, 'EUR', 'completed', 1, n FROM ${EACH_ROW}`,
  `INSERT INTO seals (account, sequence, nonce, seal, digests) SELECT ${NAME}, ${ROWS_OF_ACCOUNT}, 1, repeat('0', 64), repeat('a', 8 * ${ROWS_OF_ACCOUNT}) FROM ${EACH}`,
  `INSERT INTO seal_blocks (account, sequence, seal, digests) SELECT ${NAME}, 64 * n, repeat('0', 64), repeat('a', 512) FROM ${EACH}, generate_series(1, 4) AS n`,
  `INSERT INTO idempotency_keys (account, key, fingerprint, reference) SELECT ${NAME}, n::text, repeat('0', 64), 'r' || n FROM ${EACH_ROW}`,
  `INSERT INTO exports (account, id, started_at_ms, record) SELECT ${NAME}, 'exp_' || lpad(n::text, 16, '0'), 1000000, '{}' FROM ${EACH_ROW}`,
  ...['key_audit', 'account_audit'].map(
    (table) => `INSERT INTO ${table} (account, at_ms, id, action, subject, via)
   SELECT ${NAME}, n, 'au_' || lpad(a::text, 8, '0') || lpad(n::text, 8, '0'), 'key.created', 'key', 'api' FROM ${EACH_ROW}`,
  ),
  `INSERT INTO api_keys (account, id, hash, key_start, scopes, created_at_ms)
   SELECT ${NAME}, 'key_' || lpad(a::text, 8, '0') || lpad(n::text, 8, '0'), lpad(a::text, 32, '0') || lpad(n::text, 32, '0'), 'tk_live_aaaaaa', 'read', 0 FROM ${EACH_ROW}`,
  `INSERT INTO webhook_endpoints (ordered, created_at_ms, version, replay_version, acknowledged_sequence, account, id, url, secret)
   SELECT 0, n, 1, 0, 0, ${NAME}, 'we_' || lpad(n::text, 16, '0'), 'https://example.com', 'whsec_' || repeat('a', 32) FROM ${EACH}, generate_series(1, 4) AS n`,
  `INSERT INTO webhook_failures (sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, account, endpoint_id, error)
   SELECT n, 1, 0, 0, 1, ${NAME}, 'we_' || lpad('1', 16, '0'), 'failed' FROM ${EACH_ROW}`,
];

export const ACCOUNT = 'acct-0007';
const KEY_ID = 'key_0000000700000001';
const NOW_MS = 2_000_000;

const created: Export = {
  id: 'exp_zzzzzzzzzzzzzzzz',
  account: ACCOUNT,
  format: 'csv',
  spreadsheet: false,
  filter: NO_EXPORT_FILTER,
  created: null,
  asOf: 1,
  asOfId: null,
  seal: null,
  totals: [],
  startedAtMs: NOW_MS,
  result: null,
};

type Calls = {
  [Name in keyof Store as Store[Name] extends ((...values: never[]) => unknown) | undefined
    ? Name
    : never]-?: (store: Store) => unknown;
};

const LISTS = LIST_CASES.map((query) => ({ ...query, account: ACCOUNT }));
const TERMS = { amountFromMinor: 1, amountToMinor: null, paidFromMs: null, paidBeforeMs: null, text: 'abc' };

/** Uses of every call of a store, in this order, so that each of its statements is sent. A new call does not compile without one. */
export const USES = {
  listTransactions: async (store) => {
    for (const query of LISTS) await store.listTransactions(query, 11);
  },
  searchTransactions: async (store) => {
    for (const query of LISTS) await store.searchTransactions({ ...query, terms: TERMS }, 2000);
  },
  listNumbered: async (store) => {
    for (const query of LISTS) await store.listNumbered(query, 100);
  },
  retrieveTransaction: (store) => store.retrieveTransaction(ACCOUNT, `${ACCOUNT}.1`),
  listRelated: (store) => store.listRelated(ACCOUNT, `${ACCOUNT}.1`, null, 11),
  recordTransactions: async (store) => {
    const pending = transaction(ACCOUNT, 'new', { status: 'pending' });
    await record(store, [pending, transaction('acct-new', 'a')]);
    await record(store, [transaction(ACCOUNT, 'new'), transaction(ACCOUNT, 'other')]);
    await record(store, [transaction(ACCOUNT, 'declared', { status: 'refunded' })]);
  },
  recordHeld: (store) => store.recordHeld(transaction(ACCOUNT, 'held')),
  recordOnce: async (store) => {
    const once = { key: 'once', fingerprint: '0'.repeat(64) };
    await store.recordOnce(transaction(ACCOUNT, 'once'), once);
    await store.recordOnce(transaction(ACCOUNT, 'twice'), once);
  },
  removeDetails: (store) => store.removeDetails(ACCOUNT, `${ACCOUNT}.1`, someEntry(ACCOUNT)),
  listChanges: (store) => store.listChanges({ account: ACCOUNT, after: 1, limit: 10 }),
  listTransactionChanges: (store) => store.listTransactionChanges(ACCOUNT, `${ACCOUNT}.1`),
  findMissingChanges: (store) => store.findMissingChanges(ACCOUNT, [{ sequence: 1, nonce: 1, ageMs: 1 }]),
  readHeads: (store) => store.readHeads([ACCOUNT, 'acct-0008']),
  readStoredTotals: async (store) => {
    const range = { account: ACCOUNT, status: null, currency: null, days: { from: 1, to: 9 } };
    for (const byDay of [false, true]) await store.readStoredTotals({ ...range, byDay });
  },
  readNonce: (store) => store.readNonce(ACCOUNT, 9),
  listUnsealed: (store) => store.listUnsealed(ACCOUNT, 10),
  readSeal: (store) => store.readSeal(ACCOUNT),
  sealChanges: async (store) => store.sealChanges('acct-new', await store.readSeal('acct-new'), 1),
  storeSeals: async (store) => {
    for (const _ of [0, 1]) {
      const from = await store.readSeal('acct-new');
      await store.storeSeals('acct-new', from, await store.sealChanges('acct-new', from, 1));
    }
  },
  sumListed: async (store) => {
    const range = { fromMs: 0, beforeMs: null };
    for (const merchantReference of ['order-1', null])
      for (const status of ['completed', null])
        for (const currency of ['EUR', null]) {
          const filter = { merchantReference, status, currency };
          for (const paid of [null, range])
            await store.sumListed({ account: ACCOUNT, filter, range, paid, asOf: 99 }, null);
        }
  },
  createExport: (store) => store.createExport(created, { expiredMs: 1, perAccount: 1000 }),
  removeExpiredExports: (store) => store.removeExpiredExports(1),
  findExport: (store) => store.findExport(ACCOUNT, created.id),
  replaceExport: (store) => store.replaceExport(created),
  createWebhook: async (store) => {
    await store.createWebhook(webhook(9, { account: ACCOUNT }), 20, someEntry(ACCOUNT));
    const byKey = { ...someEntry(ACCOUNT), via: 'api', actor: 'key_0000000000000000' } as const;
    await store.createWebhook(webhook(8, { account: ACCOUNT }), 20, byKey);
  },
  listWebhooks: (store) => store.listWebhooks(ACCOUNT),
  findWebhook: (store) => store.findWebhook(ACCOUNT, idOf(1)),
  readWebhookRules: (store) => store.readWebhookRules(),
  replaceWebhook: async (store) => {
    await store.replaceWebhook(webhook(9, { account: ACCOUNT, version: 2 }), 'change', someEntry(ACCOUNT));
    await store.replaceWebhook(webhook(9, { account: ACCOUNT, version: 3 }), 'replay', someEntry(ACCOUNT));
  },
  listWebhookFailures: (store) => store.listWebhookFailures(ACCOUNT, idOf(1), 0, 10),
  retryWebhookFailure: (store) => store.retryWebhookFailure(ACCOUNT, idOf(1), 1, 5),
  leaseWebhooks: async (store) => {
    for (const leaseMs of [60_000, 0]) await store.leaseWebhooks({ instance: 'a', rules: '', leaseMs });
  },
  listDeliverable: async (store) => {
    await store.listDeliverable({ after: null, limit: 100 });
    await store.listDeliverable({ accounts: [ACCOUNT] });
  },
  listMovedAccounts: async (store) => store.listMovedAccounts((await store.listMovedAccounts(null)).mark),
  watchAccounts: (store) => store.watchAccounts([ACCOUNT]),
  storeProgress: (store) =>
    store.storeProgress(ACCOUNT, idOf(1), 9, progress(3, { failed: [failure(99)], delivered: [1, 2] })),
  disableWebhook: (store) =>
    store.disableWebhook(ACCOUNT, idOf(2), 1, { reason: 'failing', atMs: 5 }, someEntry(ACCOUNT)),
  deleteWebhook: (store) => store.deleteWebhook(ACCOUNT, idOf(3), someEntry(ACCOUNT)),
  createApiKey: (store) =>
    store.createApiKey(apiKey('key_000000000000000a', { account: ACCOUNT }), someEntry(ACCOUNT)),
  findApiKey: (store) => store.findApiKey(apiKey('key_000000000000000a').hash),
  retrieveApiKey: (store) => store.retrieveApiKey(KEY_ID),
  listApiKeys: async (store) => {
    for (const account of [ACCOUNT, null]) await store.listApiKeys(account, null, 100);
  },
  rollApiKey: (store) =>
    store.rollApiKey(
      {
        account: ACCOUNT,
        id: 'key_000000000000000a',
        created: apiKey('key_000000000000000b', { account: ACCOUNT }),
        untilMs: NOW_MS,
        nowMs: NOW_MS - 1,
      },
      someEntry(ACCOUNT),
    ),
  revokeApiKey: (store) => store.revokeApiKey(KEY_ID, NOW_MS, someEntry(ACCOUNT)),
  openSession: (store) =>
    store.openSession(
      { codeHash: 'a'.repeat(64), hash: 'b'.repeat(64), keyStart: 'ts_live_aaaaaa', nowMs: NOW_MS },
      someEntry(ACCOUNT),
    ),
  listSessions: async (store) => {
    for (const person of [null, 'ada']) await store.listSessions({ account: ACCOUNT, person }, null, 10);
    await store.listSessions({ account: null, person: 'ada' }, null, 10);
  },
  endSessions: async (store) => {
    const all = { account: ACCOUNT, person: null, id: null, nowMs: NOW_MS };
    for (const which of [{ person: 'ada' }, { id: 'ses_0000000000000001' }, {}, { account: null }])
      await store.endSessions({ ...all, ...which }, someEntry(ACCOUNT));
  },
  removeExpiredSessions: (store) => store.removeExpiredSessions(NOW_MS),
  listAudit: async (store) => {
    for (const account of [ACCOUNT, null])
      for (const after of [null, { atMs: 1, id: '' }]) await store.listAudit(account, after, 100);
  },
  listKeyEnds: (store) => store.listKeyEnds(null),
  touchApiKeys: (store) => store.touchApiKeys([{ account: ACCOUNT, id: KEY_ID, usedAtMs: NOW_MS }]),
  listRecordedStatuses: (store) => store.listRecordedStatuses(),
  listAccounts: (store) => store.listAccounts({ after: ACCOUNT, prefix: 'acct-' }, 10),
  openImport: async (store) => {
    const importing = await store.openImport();
    await importing.missingRights?.();
    await importing.accountsInUse([ACCOUNT, 'nobody']);
    await importing.retrieveTransactions(ACCOUNT, [`${ACCOUNT}.1`, 'none']);
    await importing.recordTransactions([transaction(ACCOUNT, 'imported')]);
    await importing.close();
  },
  readArchive: (store) => store.readArchive(ACCOUNT),
  storeCursorSecret: (store) => store.storeCursorSecret('s'.repeat(43)),
  serverOf: (store) => store.serverOf?.(ACCOUNT),
  servers: (store) => store.servers?.(),
  ping: (store) => store.ping(),
  readClock: (store) => store.readClock(),
  noteInstance: (store) =>
    store.noteInstance({ instance: 'a', host: 'web-1:7', version: '0.1.0', settings: { STATUSES: '' } }),
  listInstances: (store) => store.listInstances(),
  removeInstance: (store) => store.removeInstance('a'),
  connectionUse: (store) => store.connectionUse(),
  onReconnected: (store) => store.onReconnected(() => {}),
  close: (store) => store.close(),
} satisfies Calls;
