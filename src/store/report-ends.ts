import type { AuditEntry } from '../audit/audit.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { KeyEnd } from '../keys/api-key-store.ts';
import type { Store } from './store.ts';

/** A removal of details, or a change or deletion of an endpoint, whose caller knows that it was made. */
export interface AcknowledgedRemoval extends Pick<AuditEntry, 'id' | 'account' | 'action' | 'atMs'> {
  subject: string;
  /** The version of the changed endpoint; null for what was removed. */
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
