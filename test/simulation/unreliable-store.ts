import type { ApiKeyStore } from '../../src/keys/api-key-store.ts';
import type { TotalsReader } from '../../src/ledger/totals/totals.ts';
import { CALL_LIST, CALLS, type CallName } from '../../src/store/calls.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import type { Random } from '../rig/run/random.ts';
import type { ModelWebhooks } from '../rig/webhooks/model-webhooks.ts';
import { type Call, webhookCalls } from '../rig/webhooks/webhook-calls.ts';
import type { ModelStore } from './model-store.ts';
import type { ModelTotals } from './model-totals.ts';
import { STEP_MS } from './simulated-time.ts';

/** How likely a call to the database is lost, fails or is slow, from 0 to 1. */
export interface DatabaseConditions {
  lost: number;
  failing: number;
  slow: number;
  /** No call reaches the database before this time of the monotonic clock. */
  stalledUntilMs: number;
  /** No write is done before this time, as when another program holds the write lock or the disk hangs. */
  writesStalledUntilMs: number;
}

export const GOOD_CONDITIONS = { lost: 0, failing: 0, slow: 0.3 };
export const BAD_CONDITIONS = { lost: 0.3, failing: 0.1, slow: 0.5 };

/** The time limit of a call, as in the real stores. */
const CALL_TIMEOUT_MS = 1800;
const MAX_LATENCY_MS = 1000;

interface UnreliableStoreOptions {
  model: ModelStore;
  totals: ModelTotals;
  /** Without it, its calls are refused. */
  webhooks?: ModelWebhooks;
  random: Random;
  conditions: DatabaseConditions;
  monotonicMs: () => number;
  delay: (milliseconds: number) => Promise<void>;
  /** How far behind the primary a list may be read, as from a replica; 0 without replicas. */
  maxLagMs: number;
  /** False once the instance that uses this store is killed: its calls have no more effect. */
  isAlive: () => boolean;
  log: (text: string) => void;
}

const refuse = () =>
  Promise.reject(
    new Error('the simulation has no exports, webhooks, imports, sessions and lists of accounts'),
  );

/** The calls that no part of the simulation uses; the model has no further statuses, and archives nothing. */
const OTHERS = {
  ...(Object.fromEntries(CALL_LIST.map(({ name }) => [name, refuse])) as Record<CallName, typeof refuse>),
  listRecordedStatuses: async () => [],
  readArchive: async () => undefined,
  readClock: async () => ({ nowMs: 0, isLeast: true }),
};

/**
 * A store behind a bad network: a call may be lost before or after it takes effect, fail, or take up to a second. A
 * lost call ends at its time limit, as in a real store, or never. Writes can stall while reads do not.
 */
export function unreliableStore(options: UnreliableStoreOptions): Store {
  const { model, totals, webhooks, random, conditions, monotonicMs, delay, maxLagMs, isAlive, log } = options;

  const never = () => new Promise<never>(() => {});
  const lose = async (): Promise<never> => {
    if (random.chance(0.3)) return never();
    await delay(CALL_TIMEOUT_MS);
    throw new StoreUnavailable('database_error', 'simulated: time limit reached');
  };

  const call = async <Result>(name: CallName, work: () => Result): Promise<Result> => {
    const fate = random.integer(0, 999) / 1000;
    const isSlow = random.chance(conditions.slow);
    const latencyMs = isSlow ? random.integer(1, MAX_LATENCY_MS / STEP_MS) * STEP_MS : 0;
    const thereMs = random.integer(0, latencyMs / STEP_MS) * STEP_MS;
    const isDone = random.chance(0.5);

    const isLost = fate < conditions.lost;
    const isFailing = !isLost && fate < conditions.lost + conditions.failing;
    if (isLost || isFailing)
      log(`    ${name} ${isLost ? 'lost' : 'failed'}${isDone ? ' after it took effect' : ''}`);

    const stalledUntilMs =
      'write' in CALLS[name]
        ? Math.max(conditions.stalledUntilMs, conditions.writesStalledUntilMs)
        : conditions.stalledUntilMs;
    const stalledMs = Math.max(0, stalledUntilMs - monotonicMs());
    if (thereMs + stalledMs > 0) await delay(thereMs + stalledMs);
    if (!isAlive()) return never();
    if (isLost && !isDone) return lose();
    if (isFailing && !isDone) throw new StoreUnavailable('database_error', 'simulated: failed');
    const result = work();
    if (isLost) return lose();
    if (latencyMs > thereMs) await delay(latencyMs - thereMs);
    if (isFailing)
      throw new StoreUnavailable('database_error', 'simulated: failed, perhaps after it took effect');
    return result;
  };

  return {
    ...OTHERS,
    listTransactions: (query, limit) =>
      call('listTransactions', () => {
        const minCommit = Number(query.after?.logPosition ?? 0);
        const behindMs = maxLagMs === 0 ? 0 : random.integer(0, maxLagMs);
        const commit =
          maxLagMs === 0 ? model.latestCommit : Math.max(minCommit, model.commitAt(monotonicMs() - behindMs));
        const transactions = model.listTransactions(query, limit, commit);
        return maxLagMs === 0 ? { transactions } : { transactions, logPosition: String(commit) };
      }),
    retrieveTransaction: (account, reference) =>
      call('retrieveTransaction', () => model.retrieveTransaction(account, reference)),
    listChanges: (query) =>
      call('listChanges', () => {
        const behindMs = maxLagMs === 0 ? 0 : random.integer(0, maxLagMs);
        const atReplica = model.listChanges(query, model.commitAt(monotonicMs() - behindMs));
        return atReplica.headSequence > query.after
          ? atReplica
          : model.listChanges(query, model.latestCommit);
      }),
    listTransactionChanges: (account, reference) =>
      call('listTransactionChanges', () => model.listTransactionChanges(account, reference)),
    readHeads: (accounts) => call('readHeads', () => model.readHeads(accounts)),
    ...totalsCalls(call, totals),
    recordTransactions: (transactions) =>
      call('recordTransactions', () => model.recordTransactions(transactions)),
    recordHeld: () => Promise.reject(new Error('the model has no locked rows')),
    recordOnce: (transaction, once) => call('recordOnce', () => model.recordOnce(transaction, once)),
    ...keyCalls(call, model),
    ping: () => call('ping', () => undefined),
    storeCursorSecret: (proposed) => call('storeCursorSecret', () => model.storeCursorSecret(proposed)),
    ...(webhooks !== undefined && webhookCalls(call, webhooks)),
    connectionUse: () => null,
    onReconnected: () => {},
    close: async () => {},
  };
}

const totalsCalls = (call: Call, totals: ModelTotals): TotalsReader => ({
  readStoredTotals: (query) => call('readStoredTotals', () => totals.readStoredTotals(query)),
  readNonce: (account, sequence) => call('readNonce', () => totals.readNonce(account, sequence)),
});

type SessionCall = 'openSession' | 'listSessions' | 'endSessions' | 'removeExpiredSessions';

function keyCalls(call: Call, model: ModelStore): Omit<ApiKeyStore, SessionCall> {
  return {
    createApiKey: (key) => call('createApiKey', () => model.createApiKey(key)),
    findApiKey: (hash) => call('findApiKey', () => model.findApiKey(hash)),
    retrieveApiKey: (id) => call('retrieveApiKey', () => model.retrieveApiKey(id)),
    listApiKeys: (account, after, limit) =>
      call('listApiKeys', () => model.listApiKeys(account, after, limit)),
    revokeApiKey: (id, nowMs) => call('revokeApiKey', () => model.revokeApiKey(id, nowMs)),
    rollApiKey: (roll) => call('rollApiKey', () => model.rollApiKey(roll)),
    listKeyEnds: (after) => call('listKeyEnds', () => model.listKeyEnds(after)),
    touchApiKeys: (uses) => call('touchApiKeys', () => model.touchApiKeys(uses)),
  };
}
