import { withinTime } from '../../values/time-limit.ts';
import type { AuditEntry } from '../audit/audit.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyEnd } from '../keys/api-key-store.ts';
import type { MadeChange, TransactionRecorder } from '../ledger/record/record.ts';
import type { Store } from './store.ts';

/*
 * The wrappers of a store, from the caller inwards: the span of a call (`tracedStore`), its time limit
 * (`limitCalls`), and reports of durable recordings, ends and removals.
 */

/** The methods of a store that query its database. */
export type StoreCall = {
  [Name in keyof Store]-?: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never;
}[keyof Store];

type Method = {
  [Name in keyof Store]-?: NonNullable<Store[Name]> extends (...values: never[]) => unknown ? Name : never;
}[keyof Store];

/** The methods that query nothing, and answer at once. */
const NO_CALLS: Readonly<Record<Exclude<Method, StoreCall>, true>> = {
  connectionUse: true,
  onReconnected: true,
  nodeOf: true,
  nodes: true,
};

/** A store whose calls with one of the names, or all calls, go through `around`. */
export function wrapStore(
  store: Store,
  names: readonly StoreCall[] | 'all',
  around: <Result>(
    name: StoreCall,
    call: () => Promise<Result>,
    values: readonly unknown[],
  ) => Promise<Result>,
): Store {
  const isWrapped = (name: string): name is StoreCall =>
    names === 'all' ? !Object.hasOwn(NO_CALLS, name) : (names as readonly string[]).includes(name);
  const wrapped = Object.entries(store).flatMap(([name, call]) =>
    typeof call === 'function' && isWrapped(name)
      ? [[name, (...values: unknown[]) => around(name, () => call(...values), values)]]
      : [],
  );
  return { ...store, ...Object.fromEntries(wrapped) };
}

/**
 * Calls of the operator's listener that get a separate time limit, because the time limit of a request does
 * not cover them: a key is looked up before the body has arrived, recordings wait for each other, and a batch
 * has no time limit.
 */
const TIMED_CALLS: readonly StoreCall[] = ['findApiKey', 'retrieveTransaction', 'record'];

/** A store that answers these calls within a time limit. */
export const limitCalls = (store: Store, timeoutMs: number): Store =>
  wrapStore(store, TIMED_CALLS, (_name, call) => withinTime(call(), timeoutMs));

export interface RecordingListener {
  /** Is called with each change, and the reference of its transaction. */
  noteChange?(account: string, reference: string, change: MadeChange): void;
  /** Is called once for each account of which changes were recorded. */
  noteRecorded?(account: string): void;
}

/** A store that notifies of the changes that are recorded through it, once they are on the disk. */
export function reportRecordings(store: Store, listeners: readonly RecordingListener[]): Store {
  const recorder: TransactionRecorder = {
    record: async (transactions, alone) => {
      const results = await store.record(transactions, alone);
      const changed = new Set<string>();
      for (const [index, { account, reference: given }] of transactions.entries()) {
        const result = results[index];
        if (result === undefined || !isChange(result)) continue;
        // With an idempotency key, the recorded reference can be that of an earlier call.
        const { reference = given } = result as { reference?: string };
        for (const listener of listeners) listener.noteChange?.(account, reference, result);
        changed.add(account);
      }
      for (const account of changed) for (const listener of listeners) listener.noteRecorded?.(account);
      return results;
    },
  };
  return { ...store, ...recorder };
}

const isChange = (result: { outcome: string }): result is { outcome: 'recorded' | 'changed' } & MadeChange =>
  result.outcome === 'recorded' || result.outcome === 'changed';

/** A removal of details, or a change or deletion of an endpoint, whose caller knows that it was made. */
export interface AcknowledgedRemoval extends Pick<AuditEntry, 'id' | 'account' | 'action' | 'atMs'> {
  subject: string;
  /** The version of the changed endpoint; null if it was removed. */
  version: number | null;
}

interface EndsReporter {
  onKeyEnded(end: Omit<KeyEnd, 'recordedAtMs'>): void;
  onRemoved(removal: AcknowledgedRemoval): void;
}

/** A store that notifies of what ends or is removed through it, once it is on the disk. */
export function reportEnds(store: Store, { onKeyEnded, onRemoved }: EndsReporter): Store {
  const reportKey = (key: ApiKey | undefined) => {
    if (key !== undefined) onKeyEnded(key);
    return key;
  };
  const reportRemoval = <Result>(
    entry: AuditEntry,
    version: number | null,
    result: Result,
    isMade: boolean,
  ) => {
    if (isMade) onRemoved({ ...entry, subject: entry.subject as string, version });
    return result;
  };
  return {
    ...store,
    revokeApiKey: async (...values) => reportKey(await store.revokeApiKey(...values)),
    rollApiKey: async (...values) => reportKey(await store.rollApiKey(...values)),
    endSessions: async (end, entry) => {
      const ended = await store.endSessions(end, entry);
      for (const id of ended) onKeyEnded({ id, revokedAtMs: end.nowMs, expiresAtMs: null });
      return ended;
    },
    removeDetails: async (account, reference, entry) => {
      const outcome = await store.removeDetails(account, reference, entry);
      return reportRemoval(entry, null, outcome, outcome === 'removed');
    },
    deleteWebhook: async (account, id, entry) => {
      const isDeleted = await store.deleteWebhook(account, id, entry);
      return reportRemoval(entry, null, isDeleted, isDeleted);
    },
    replaceWebhook: async (replaced, by, entry) => {
      const isReplaced = await store.replaceWebhook(replaced, by, entry);
      return reportRemoval(entry, replaced.version, isReplaced, isReplaced);
    },
    disableWebhook: async (account, id, version, disabled, entry) => {
      const isDisabled = await store.disableWebhook(account, id, version, disabled, entry);
      return reportRemoval(entry, version + 1, isDisabled, isDisabled);
    },
  };
}
