import type { TurnKind } from '../db/db.ts';
import type { StoreCalls } from './store.ts';

/** What the stores know of a call in addition to its SQL. Routes on a cluster and turns of SQLite's writes follow from these records. */
interface CallRecord<Values extends readonly unknown[]> {
  on: ServerOf<Values>;
  /** For a call that SQLite's writing thread runs: what it runs before what. */
  write?: TurnKind;
}

/**
 * The server of a cluster that answers.
 *
 * - `account`: the server that has the account, which the first value is or has.
 * - `coordinator`: it has the keys, and reads what all servers have.
 * - `named`: the server that the second value names.
 * - `db`: the call is a function over `Db`, which finds the server for each statement.
 * - `divided`: the servers of the accounts of the first value, as `cluster-store.ts` divides it.
 */
export type CallServer = 'account' | 'coordinator' | 'named' | 'divided' | 'db';

/** The servers that a call with these values can have. */
type ServerOf<Values extends readonly unknown[]> =
  | 'coordinator'
  | 'db'
  | (Values extends readonly [OfAccount, ...unknown[]] ? 'account' : never)
  | (Values extends readonly [unknown, (string | undefined)?] ? 'named' : never)
  | (Values extends readonly [readonly unknown[], ...unknown[]] ? 'divided' : never);

/** The first value of a call for an account. */
type OfAccount = string | { account: string };

type CallRecords = { readonly [Name in keyof StoreCalls]: CallRecord<Parameters<StoreCalls[Name]>> };

export const CALLS = {
  listTransactions: { on: 'account' },
  retrieveTransaction: { on: 'db' },
  listRelated: { on: 'db' },
  searchTransactions: { on: 'db' },
  record: { on: 'divided', write: 'stream' },
  removeDetails: { on: 'db' },
  listRecordedStatuses: { on: 'db' },
  listChanges: { on: 'account' },
  listTransactionChanges: { on: 'account' },
  findMissingChanges: { on: 'account' },
  readHeads: { on: 'divided' },
  readNonce: { on: 'account' },
  listMovedAccounts: { on: 'db' },
  watchAccounts: { on: 'db' },
  readArchive: { on: 'db' },
  readStoredTotals: { on: 'account' },
  sumListed: { on: 'account' },
  listUnsealed: { on: 'db' },
  readSeal: { on: 'db' },
  sealChanges: { on: 'account' },
  storeSeals: { on: 'db' },
  listNumbered: { on: 'account' },
  createExport: { on: 'db' },
  findExport: { on: 'db' },
  replaceExport: { on: 'db' },
  removeExpiredExports: { on: 'named', write: 'first' },
  createWebhook: { on: 'db' },
  listWebhooks: { on: 'db' },
  findWebhook: { on: 'db' },
  replaceWebhook: { on: 'db' },
  deleteWebhook: { on: 'db' },
  disableWebhook: { on: 'db' },
  listWebhookFailures: { on: 'db' },
  retryWebhookFailure: { on: 'db' },
  readWebhookRules: { on: 'db' },
  leaseWebhooks: { on: 'db' },
  listDeliverable: { on: 'named' },
  storeProgress: { on: 'db' },
  createApiKey: { on: 'db' },
  findApiKey: { on: 'db' },
  retrieveApiKey: { on: 'db' },
  listApiKeys: { on: 'db' },
  revokeApiKey: { on: 'db' },
  rollApiKey: { on: 'db' },
  touchApiKeys: { on: 'db' },
  listKeyEnds: { on: 'db' },
  openSession: { on: 'db' },
  listSessions: { on: 'db' },
  endSessions: { on: 'db' },
  removeExpiredSessions: { on: 'db' },
  storeCursorSecret: { on: 'db' },
  listAudit: { on: 'db' },
  listAccounts: { on: 'db' },
  noteInstance: { on: 'db' },
  removeInstance: { on: 'db' },
  listInstances: { on: 'db' },
  openImport: { on: 'coordinator' },
  ping: { on: 'coordinator' },
  readClock: { on: 'coordinator' },
} as const satisfies CallRecords;

export type CallName = keyof StoreCalls;

type CallsWith<Kind> = {
  [Name in CallName]: (typeof CALLS)[Name] extends Kind ? Name : never;
}[CallName];

export type DividedCall = CallsWith<{ on: 'divided' }>;
/** Calls that are functions over `Db`. */
export type DbCall = CallsWith<{ on: 'db' }>;
export type WriteName = CallsWith<{ write: TurnKind }>;

export const CALL_LIST = (Object.keys(CALLS) as CallName[]).map((name) => {
  const record: { on: CallServer; write?: TurnKind } = CALLS[name];
  return { name, ...record };
});

/** The account of a call for an account. */
export function accountOfCall([first]: readonly unknown[]): string {
  const value = first as OfAccount;
  return typeof value === 'string' ? value : value.account;
}
