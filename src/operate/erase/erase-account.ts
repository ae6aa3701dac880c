import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import { type AuditStamp, auditEntry } from '../../audit/audit.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { type ApiKeyStore, KEY_ENDS_KEPT_MS, keyRevoked, sessionsEnded } from '../../keys/keys.ts';
import { LEASE_MS, type WebhookManager, webhookDeleted } from '../../webhooks/webhook.ts';
import { type AccountEraser, REMOVED_ROW_BY_ROW, type RowPosition } from './account-eraser.ts';

/** How long a step should take at most, because recordings of other accounts wait for it. */
const STEP_MS = 20;
/** This long after a revocation, every instance refuses the key, and older webhook leases have run out. */
const SETTLED_MS = Math.max(KEY_ENDS_KEPT_MS, LEASE_MS);
const KEYS_PER_PAGE = 50;

export interface EraseOptions {
  eraser: AccountEraser;
  store: Pick<ApiKeyStore, 'listApiKeys' | 'revokeApiKey' | 'endSessions'> &
    Pick<WebhookManager, 'listWebhooks' | 'deleteWebhook'>;
  stamp(): AuditStamp;
  now(): number;
  monotonicMs(): number;
  replicaLagMs: number;
  sleep(milliseconds: number): Promise<unknown>;
  onWait(milliseconds: number): void;
  onProgress(transactions: number): void;
}

/** Returns the latest sequence number before the erasure. After an interruption, the account stays closed. */
export async function eraseAccount(account: string, options: EraseOptions): Promise<number | undefined> {
  const { eraser, stamp, replicaLagMs, sleep, onWait } = options;
  const headSequence = await eraser.close(account, auditEntry(stamp(), 'account.closed', account, null));
  if (headSequence === undefined) return undefined;
  let settledEnd = await endAccess(account, options);
  await removeRows(account, options);
  // A replica may still show the removed rows to a new account with this name.
  if (replicaLagMs > 0) {
    onWait(replicaLagMs);
    await sleep(replicaLagMs);
  }
  const erased = () => auditEntry(stamp(), 'account.erased', account, null);
  // If a key was created since `endAccess`, `open` returns false.
  while (!(await eraser.open(account, settledEnd, erased()))) settledEnd = await endAccess(account, options);
  return headSequence;
}

/** Resolves when every instance refuses the keys, even in requests that began before the revocation. */
async function endAccess(account: string, options: EraseOptions): Promise<number> {
  const { eraser, store, now, stamp, sleep, onWait } = options;
  for (let after = null, isLast = false; !isLast; ) {
    const keys = await store.listApiKeys(account, after, KEYS_PER_PAGE);
    const revoke = ({ id }: ApiKey) => store.revokeApiKey(id, now(), keyRevoked({ account, id }, stamp()));
    await Promise.all(keys.filter(({ revokedAtMs }) => revokedAtMs === null).map(revoke));
    after = keys.at(-1) ?? null;
    isLast = keys.length < KEYS_PER_PAGE;
  }
  const sessions = { account, person: null, id: null, nowMs: now() };
  while ((await store.endSessions(sessions, sessionsEnded(account, null, stamp()))).length > 0);
  for (const { id } of await store.listWebhooks(account))
    await store.deleteWebhook(account, id, webhookDeleted({ account, id }, stamp()));
  const lastEnd = await eraser.lastKeyEnd(account);
  onWait(SETTLED_MS);
  await sleep(SETTLED_MS);
  return lastEnd;
}

async function removeRows(
  account: string,
  { eraser, monotonicMs, sleep, onProgress }: EraseOptions,
): Promise<void> {
  let transactions = 0;
  let limit = FIRST_BATCH_SIZE;
  for (const table of REMOVED_ROW_BY_ROW) {
    let after: RowPosition | null | undefined = null;
    while (after !== undefined) {
      const startedAtMs = monotonicMs();
      after = await eraser.removeRows(table, account, after, limit);
      const tookMs = monotonicMs() - startedAtMs;
      if (after !== undefined) {
        if (table === 'transactions') transactions += limit;
        onProgress(transactions);
      }
      limit = batchSizeAfter(limit, tookMs, STEP_MS);
      // Other writers get the database for at least as long as the step took.
      await sleep(Math.ceil(tookMs) + 1);
    }
  }
}
