import type { Chance } from '../../proof/judge/history.ts';
import type { Store, StoreCalls } from '../../src/store/store.ts';
import { MAX_LEASE_MS } from '../../src/webhooks/webhook.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { type SimulatedTime, STEP_MS } from './simulated-time.ts';

/** `lost`, `failing` and `slow` are percentages of the calls. For MANY_CALLS, a tenth of these applies. */
export interface Conditions {
  lost: number;
  failing: number;
  slow: number;
  stalledUntilMs: number;
  writesStalledUntilMs: number;
}

export const GOOD: Conditions = { lost: 0, failing: 0, slow: 30, stalledUntilMs: 0, writesStalledUntilMs: 0 };
export const BAD: Conditions = { ...GOOD, lost: 3, failing: 10, slow: 50 };

const CALL_TIMEOUT_MS = 1000;
const MAX_LATENCY_STEPS = 10;

export interface Caller {
  isAlive: boolean;
  isStarting: boolean;
  suspendedUntilMs: number;
}

export interface SimulatedLease {
  holder: { instance: string; rules: string } | undefined;
  untilMs: number;
}

type LeaseRequest = Parameters<Store['leaseWebhooks']>[0];

async function takeLease(
  store: Store,
  lease: SimulatedLease,
  { nowMs, request }: { nowMs: number; request: LeaseRequest },
): Promise<unknown> {
  const { holder } = lease;
  if (holder !== undefined && holder.instance !== request.instance && lease.untilMs <= nowMs)
    await store.leaseWebhooks({ ...holder, leaseMs: 0 });
  const taken = await store.leaseWebhooks({ ...request, leaseMs: request.leaseMs && MAX_LEASE_MS });
  if (taken.isHeld) Object.assign(lease, { holder: request, untilMs: nowMs + request.leaseMs });
  return taken;
}

interface FaultyOptions {
  lease: SimulatedLease;
  time: SimulatedTime;
  chance: Chance;
  conditions: Conditions;
  caller: Caller;
}

const MANY_CALLS = new Set(['sumListed', 'listNumbered', 'readStoredTotals', 'searchTransactions']);

const PLAIN = new Set<string | symbol>([
  'connectionUse',
  'onReconnected',
  'nodeOf',
  'nodes',
  'close',
  'openImport',
]);

const READS = /^(find|list|ping|read|retrieve|sealChanges|search|sum)/;

type CallName = keyof StoreCalls;

export function faultyStore(store: Store, { time, chance, conditions, caller, lease }: FaultyOptions): Store {
  const never = () => new Promise<never>(() => {});
  const waitUntil = async (ms: number) => {
    if (ms > time.elapsedMs) await time.delay(ms - time.elapsedMs);
  };
  const lose = async (name: CallName): Promise<never> => {
    // Some recordings never end, not even with an error. The service must have a time limit of its own.
    if (name.startsWith('record') && chance.is(30)) return never();
    await time.delay(CALL_TIMEOUT_MS);
    throw new StoreUnavailable('database_error', 'simulated: time limit reached');
  };
  const call = async (name: CallName, values: unknown[]): Promise<unknown> => {
    const work = () =>
      name === 'leaseWebhooks'
        ? takeLease(store, lease, { nowMs: time.elapsedMs, request: values[0] as LeaseRequest })
        : (store[name] as (...values: unknown[]) => Promise<unknown>)(...values);
    if (caller.isStarting) return time.frozen(work);
    const calls = MANY_CALLS.has(name) ? 1000 : 100;
    const fate = chance.below(calls);
    const steps = chance.below(calls) < conditions.slow ? chance.below(MAX_LATENCY_STEPS) : 0;
    const there = chance.below(steps + 1);
    const isDone = chance.is(50);
    const isLost = fate < conditions.lost;
    const isFailing = !isLost && fate < conditions.lost + conditions.failing;
    if (there > 0) await time.delay(there * STEP_MS);
    await waitUntil(caller.suspendedUntilMs);
    await waitUntil(conditions.stalledUntilMs);
    if (!READS.test(name)) await waitUntil(conditions.writesStalledUntilMs);
    if (!caller.isAlive) return never();
    if (isLost && !isDone) return lose(name);
    if (isFailing && !isDone) throw new StoreUnavailable('database_error', 'simulated: failed');
    const result = await time.frozen(async () => (caller.isAlive ? work() : undefined));
    if (isLost) return lose(name);
    if (steps > there) await time.delay((steps - there) * STEP_MS);
    await waitUntil(caller.suspendedUntilMs);
    if (!caller.isAlive) return never();
    if (isFailing) throw new StoreUnavailable('database_error', 'simulated: failed after it took effect');
    return result;
  };
  return new Proxy(store, {
    get: (target, name) =>
      PLAIN.has(name) || typeof Reflect.get(target, name) !== 'function'
        ? Reflect.get(target, name)
        : (...values: unknown[]) => call(name as CallName, values),
  });
}
