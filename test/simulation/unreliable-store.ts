import { type Store, StoreUnavailable } from '../../src/core/store.ts';
import type { Random } from '../rig/random.ts';
import type { ModelStore } from './model-store.ts';
import { STEP_MS } from './simulated-time.ts';

/** How the way to the database is now. */
export interface Weather {
  lost: number;
  failing: number;
  slow: number;
  /** Until when nothing comes through; of the simulation's monotonic clock. */
  stalledUntilMs: number;
  /** Until when nothing is written, while reads go on: another program holds the write lock, or the disk hangs. */
  writersStalledUntilMs: number;
}

export const FAIR = { lost: 0, failing: 0, slow: 0.3 };
export const STORM = { lost: 0.3, failing: 0.1, slow: 0.5 };

const WRITES: ReadonlySet<string> = new Set<keyof Store>([
  'recordTransactions',
  'recordOnce',
  'createApiKey',
  'revokeApiKey',
  'touchApiKeys',
  'storeCursorSecret',
]);

/** What an adapter waits for an answer before it gives up, as the real ones do. */
const ADAPTER_TIMEOUT_MS = 1800;
const MAX_LATENCY_MS = 1000;

export interface UnreliableStoreOptions {
  model: ModelStore;
  random: Random;
  weather: Weather;
  monotonicMs: () => number;
  delay: (milliseconds: number) => Promise<void>;
  /** How far behind lists may be read, as from a replica; 0 where they are read from the primary. */
  maxLagMs: number;
  /** False once the process that used this store was killed: nothing of it gets through any more. */
  isAlive: () => boolean;
  tell: (text: string) => void;
}

/**
 * The port of a database behind a bad network: a call may be lost on its way, fail, take up to a second, or be
 * done with its answer lost. A lost call ends as in a real adapter, by its timeout, or never. Writes may stall alone.
 */
export function unreliableStore(options: UnreliableStoreOptions): Store {
  const { model, random, weather, monotonicMs, delay, maxLagMs, isAlive, tell } = options;

  const never = () => new Promise<never>(() => {});
  const lose = async (): Promise<never> => {
    if (random.chance(0.3)) return never();
    await delay(ADAPTER_TIMEOUT_MS);
    throw new StoreUnavailable('simulated: no answer in time');
  };

  const call = async <Answer>(name: string, work: () => Answer): Promise<Answer> => {
    const fate = random.integer(0, 999) / 1000;
    const isSlow = random.chance(weather.slow);
    const latencyMs = isSlow ? random.integer(1, MAX_LATENCY_MS / STEP_MS) * STEP_MS : 0;
    const thereMs = random.integer(0, latencyMs / STEP_MS) * STEP_MS;
    const isDone = random.chance(0.5);

    const isLost = fate < weather.lost;
    const isFailing = !isLost && fate < weather.lost + weather.failing;
    if (isLost || isFailing)
      tell(`    ${name} ${isLost ? 'lost' : 'failed'}${isDone ? ' after it was done' : ''}`);

    const stalledUntilMs = WRITES.has(name)
      ? Math.max(weather.stalledUntilMs, weather.writersStalledUntilMs)
      : weather.stalledUntilMs;
    const stalledMs = Math.max(0, stalledUntilMs - monotonicMs());
    if (thereMs + stalledMs > 0) await delay(thereMs + stalledMs);
    if (!isAlive()) return never();
    if (isLost && !isDone) return lose();
    if (isFailing && !isDone) throw new StoreUnavailable('simulated: failed');
    const answer = work();
    if (isLost) return lose();
    if (latencyMs > thereMs) await delay(latencyMs - thereMs);
    if (isFailing) throw new StoreUnavailable('simulated: failed, and it is not known whether it was done');
    return answer;
  };

  return {
    listTransactions: (question, limit) =>
      call('listTransactions', () => {
        const seen = Number(question.after?.logPosition ?? 0);
        const behindMs = maxLagMs === 0 ? 0 : random.integer(0, maxLagMs);
        const commit =
          maxLagMs === 0 ? model.latestCommit : Math.max(seen, model.commitAt(monotonicMs() - behindMs));
        const transactions = model.listTransactions(question, limit, commit);
        return maxLagMs === 0 ? { transactions } : { transactions, logPosition: String(commit) };
      }),
    retrieveTransaction: (account, reference) =>
      call('retrieveTransaction', () => model.retrieveTransaction(account, reference)),
    recordTransactions: (transactions) =>
      call('recordTransactions', () => model.recordTransactions(transactions)),
    recordHeld: () => Promise.reject(new Error('the model holds no row')),
    recordOnce: (transaction, once) => call('recordOnce', () => model.recordOnce(transaction, once)),
    createApiKey: (key) => call('createApiKey', () => model.createApiKey(key)),
    findApiKey: (hash) => call('findApiKey', () => model.findApiKey(hash)),
    listApiKeys: (account) => call('listApiKeys', () => model.listApiKeys(account)),
    revokeApiKey: (id, nowMs) => call('revokeApiKey', () => model.revokeApiKey(id, nowMs)),
    listRecentlyRevoked: () => call('listRecentlyRevoked', () => model.listRecentlyRevoked()),
    touchApiKeys: (uses) => call('touchApiKeys', () => model.touchApiKeys(uses)),
    ping: () => call('ping', () => undefined),
    storeCursorSecret: (proposed) => call('storeCursorSecret', () => model.storeCursorSecret(proposed)),
    openImport: () => Promise.reject(new Error('the request path imports nothing')),
    close: async () => {},
  };
}
