import type { Logger } from 'pino';
import type { AuditEntry } from '../audit/audit.ts';
import { type ApiKey, earlier } from '../keys/api-key.ts';
import type { KeyCache } from '../keys/key-cache.ts';
import type { ApiKeyStore, KeyEnd } from '../keys/keys.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { Store } from '../store/store.ts';
import type { WebhookManager } from '../webhooks/webhook.ts';
import type { StoreMetrics } from './store-metrics.ts';

const MAX_REMOVALS = 1000;

interface AcknowledgedRemoval extends Pick<AuditEntry, 'id' | 'account' | 'action' | 'atMs'> {
  subject: string;
  /** Null if an endpoint was deleted, or if details were removed. */
  endpointVersion: number | null;
}

interface LostEndsOptions {
  store: Pick<ApiKeyStore, 'retrieveApiKey'> &
    Pick<ChangeReader, 'listTransactionChanges'> &
    Pick<WebhookManager, 'findWebhook'>;
  logger: Pick<Logger, 'error' | 'flush'>;
  metrics: Pick<StoreMetrics, 'countLostEnds'>;
}

export class LostEnds {
  readonly #options: LostEndsOptions;
  readonly #caches: Pick<KeyCache, 'noteEnded' | 'knownEnds'>[] = [];
  readonly #removals: AcknowledgedRemoval[] = [];
  readonly #named = new Set<string>();

  constructor(options: LostEndsOptions) {
    this.#options = options;
  }

  /** The cache refuses a key whose end was acknowledged, even if the database has lost the end. */
  addCache(cache: Pick<KeyCache, 'noteEnded' | 'knownEnds'>): void {
    this.#caches.push(cache);
  }

  noting(store: Store): Store {
    const noteKey = async (ending: Promise<ApiKey | undefined>) => {
      const key = await ending;
      if (key !== undefined) this.#noteKeyEnded(key);
      return key;
    };
    const noteChange = async (changing: Promise<boolean>, entry: AuditEntry, version: number | null) => {
      const isMade = await changing;
      if (isMade) this.#noteRemoval(entry, version);
      return isMade;
    };
    return {
      ...store,
      revokeApiKey: (...values) => noteKey(store.revokeApiKey(...values)),
      rollApiKey: (...values) => noteKey(store.rollApiKey(...values)),
      endSessions: async (end, entry) => {
        const ended = await store.endSessions(end, entry);
        for (const id of ended) this.#noteKeyEnded({ id, revokedAtMs: end.nowMs, expiresAtMs: null });
        return ended;
      },
      removeDetails: async (account, reference, entry) => {
        const outcome = await store.removeDetails(account, reference, entry);
        if (outcome === 'removed') this.#noteRemoval(entry, null);
        return outcome;
      },
      deleteWebhook: (account, id, entry) => noteChange(store.deleteWebhook(account, id, entry), entry, null),
      replaceWebhook: (replaced, by, entry) =>
        noteChange(store.replaceWebhook(replaced, by, entry), entry, replaced.version),
      disableWebhook: (account, id, version, disabled, entry) =>
        noteChange(store.disableWebhook(account, id, version, disabled, entry), entry, version + 1),
    };
  }

  #noteKeyEnded(end: Omit<KeyEnd, 'recordedAtMs'>): void {
    for (const cache of this.#caches) cache.noteEnded(end);
  }

  #noteRemoval(entry: AuditEntry, endpointVersion: number | null): void {
    this.#removals.push({ ...entry, subject: entry.subject as string, endpointVersion });
    if (this.#removals.length > MAX_REMOVALS) this.#removals.shift();
  }

  async check(signal: AbortSignal): Promise<void> {
    const { store } = this.#options;
    const ends = new Map(this.#caches.flatMap((cache) => [...cache.knownEnds()]).map((end) => [end.id, end]));
    for (const end of ends.values()) {
      if (signal.aborted) return;
      const found = this.#named.has(end.id) ? undefined : await store.retrieveApiKey(end.id);
      if (found !== undefined && !hasEnded(found, end))
        this.#name(end.id, found.account, actionOf(end), end.id);
    }
    for (const removal of this.#removals) {
      if (signal.aborted) return;
      const { account, action, subject, id } = removal;
      if (!this.#named.has(id) && (await this.#isLost(removal))) this.#name(id, account, action, subject);
    }
  }

  async #isLost({ account, subject, action, atMs, endpointVersion }: AcknowledgedRemoval): Promise<boolean> {
    const { store } = this.#options;
    if (action === 'details.removed') {
      const [first] = (await store.listTransactionChanges(account, subject)) ?? [];
      // A transaction that was recorded after the removal is a new one. Its details are not the removed ones.
      return first !== undefined && first.recordedAtMs <= atMs && first.transaction.details !== null;
    }
    const found = await store.findWebhook(account, subject);
    return found !== undefined && (endpointVersion === null || found.version < endpointVersion);
  }

  #name(named: string, account: string, action: string, subject: string): void {
    const { logger, metrics } = this.#options;
    this.#named.add(named);
    metrics.countLostEnds();
    logger.error(
      { account, action, subject },
      'the database has lost a revocation or another change that was acknowledged: repeat it',
    );
    logger.flush();
  }
}

const hasEnded = (key: ApiKey, { revokedAtMs, expiresAtMs }: KeyEnd): boolean =>
  key.revokedAtMs !== null ||
  (revokedAtMs === null && earlier(key.expiresAtMs, expiresAtMs) === key.expiresAtMs);

const actionOf = ({ id, revokedAtMs }: KeyEnd): string => {
  if (id.startsWith('ses_')) return 'session.ended';
  return revokedAtMs === null ? 'key.rolled' : 'key.revoked';
};
