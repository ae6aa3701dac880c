import { parseTimestamp } from '../../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { pagesOf } from '../../../values/pages.ts';
import { type AccountLister, isKnownAccount } from '../../accounts/account.ts';
import { type AuditEntry, type AuditReader, type AuditStamp, auditEntry } from '../../audit/audit.ts';
import { type ApiKeyStore, sessionsEnded } from '../../keys/keys.ts';
import type { DetailsRemover } from '../../ledger/record/record.ts';
import type { ListedWebhook, WebhookManager } from '../../webhooks/webhook.ts';

interface RepeatOptions {
  store: AuditReader &
    Pick<ApiKeyStore, 'retrieveApiKey' | 'revokeApiKey' | 'rollApiKey' | 'endSessions'> &
    Pick<WebhookManager, 'findWebhook' | 'replaceWebhook' | 'deleteWebhook'> &
    AccountLister &
    DetailsRemover;
  stamp(): AuditStamp;
  onRepeated(entry: AuditEntry): void;
  onLeft(entry: AuditEntry, advice: string): void;
}

/**
 * Repeats changes that the database has lost, such as revocations of keys. Calls `onLeft` for those that a
 * person must repeat, such as creations of keys. A second run repeats nothing. Returns the number of entries
 * that the database already contained. `entries` must not contain duplicates.
 */
export async function repeatChanges(entries: readonly AuditEntry[], options: RepeatOptions): Promise<number> {
  const inOrder = entries.toSorted((left, right) => left.atMs - right.atMs);
  const { ids: known, repeatedIds, statesAtMs, ofAccounts } = await knownChanges(inOrder, options.store);
  const lost = inOrder.filter(({ id }) => !known.has(id));
  for (const [account, ofAccount] of Map.groupBy(lost, (entry) => entry.account)) {
    const erasedAt = ofAccount.findLastIndex(({ action }) => action === 'account.erased');
    // Separated, because the subject of `details.removed` is a reference, which can begin with `key_`.
    const [ofDetails, others] = [true, false].map((isWanted) =>
      ofAccount.filter(({ action }) => (action === 'details.removed') === isWanted),
    ) as [AuditEntry[], AuditEntry[]];
    for (const removal of ofDetails)
      if (ofAccount.indexOf(removal) > erasedAt && !repeatedIds.has(removal.id))
        await repeatRemoval(removal, options);
    const bySubject = Map.groupBy(others, ({ subject }) => subject);
    for (const [subject, changes] of bySubject) {
      const isOver = ofAccount.indexOf(changes.at(-1) as AuditEntry) < erasedAt;
      const own = isOver ? { ...options, onLeft: () => {} } : options;
      if (subject === null) await leaveAccount(changes, options, ofAccounts.get(account) ?? []);
      else if (subject.startsWith('ses_')) continue;
      else if (subject.startsWith('key_')) await repeatForKey(subject, changes, own);
      else await repeatForEndpoint(account, subject, changes, { ...own, stateAtMs: statesAtMs.get(subject) });
    }
  }
  return entries.length - lost.length;
}

/** Ends all sessions, because it is unknown which of them had already ended. */
export async function endEverySession({
  store,
  stamp,
}: Pick<RepeatOptions, 'store' | 'stamp'>): Promise<number> {
  let ended = 0;
  for (let last = -1; last !== 0; ended += last) {
    const entry = sessionsEnded(OPERATOR_ACCOUNT, null, stamp());
    last = (await store.endSessions({ account: null, person: null, id: null, nowMs: entry.atMs }, entry))
      .length;
  }
  return ended;
}

interface Known {
  ids: Set<string>;
  repeatedIds: Set<unknown>;
  statesAtMs: Map<string | null, number>;
  ofAccounts: Map<string, AuditEntry[]>;
}

async function knownChanges([first]: readonly AuditEntry[], store: AuditReader): Promise<Known> {
  const known: Known = {
    ids: new Set(),
    repeatedIds: new Set(),
    statesAtMs: new Map(),
    ofAccounts: new Map(),
  };
  if (first === undefined) return known;
  const before = { atMs: first.atMs - 1, id: '' };
  const pages = pagesOf<AuditEntry>((last, count) => store.listAudit(null, last ?? before, count));
  for await (const page of pages)
    for (const entry of page) {
      const { id, account, action, subject, detail, atMs } = entry;
      known.ids.add(id);
      known.repeatedIds.add(detail?.['repeats']);
      if (isState(action)) known.statesAtMs.set(subject, atMs);
      if (isErased(action) || action === 'account.archived')
        known.ofAccounts.set(account, [...(known.ofAccounts.get(account) ?? []), entry]);
    }
  return known;
}

const isState = (action: AuditEntry['action']) =>
  action === 'endpoint.disabled' || action === 'endpoint.enabled';

const isErased = (action: AuditEntry['action']) => action === 'account.erased';

const lastOf = (changes: readonly AuditEntry[], ...actions: AuditEntry['action'][]) =>
  changes.findLast(({ action }) => actions.includes(action));

const again = ({ action, account, subject, detail, id }: AuditEntry, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, action, account, subject, { ...detail, repeats: id });

async function repeatForKey(
  id: string,
  changes: readonly AuditEntry[],
  { store, stamp, onRepeated, onLeft }: RepeatOptions,
): Promise<void> {
  const found = await store.retrieveApiKey(id);
  const revoked = lastOf(changes, 'key.revoked');
  const created = lastOf(changes, 'key.created');
  const rolls = changes.filter(({ action }) => action === 'key.rolled');
  // A roll can only shorten the validity of a key. After several rolls, the earliest `acceptedUntil` counts.
  const rolled = rolls.toSorted((left, right) => endOf(left) - endOf(right))[0];
  if (revoked !== undefined && found !== undefined && found.revokedAtMs === null) {
    const entry = again(revoked, stamp());
    await store.revokeApiKey(id, entry.atMs, entry);
    onRepeated(revoked);
  } else if (revoked === undefined && rolled !== undefined && found !== undefined) {
    const untilMs = endOf(rolled);
    const entry = again(rolled, stamp());
    const roll = { account: found.account, id, created: null, untilMs, nowMs: entry.atMs };
    const isLater = found.expiresAtMs === null || found.expiresAtMs > untilMs;
    if (isLater && (await store.rollApiKey(roll, entry)) !== undefined) onRepeated(rolled);
  }
  for (const roll of rolls) {
    const newKeyId = roll.detail?.['newKeyId'];
    if (typeof newKeyId === 'string' && !(await store.retrieveApiKey(newKeyId)))
      onLeft(roll, `the new key ${newKeyId} is not in this database: ${createKey(roll.account)}`);
  }
  if (created !== undefined && found === undefined && revoked === undefined && rolled === undefined)
    onLeft(created, `the key is not in this database: ${createKey(created.account)}`);
}

async function repeatRemoval(
  removal: AuditEntry,
  { store, stamp, onRepeated, onLeft }: RepeatOptions,
): Promise<void> {
  const { account, subject } = removal;
  const outcome = await store.removeDetails(account, subject as string, again(removal, stamp()));
  if (outcome === 'removed') onRepeated(removal);
  else if (outcome === undefined)
    onLeft(
      removal,
      `the transaction ${subject} is not in this database: once it is recorded again, remove its details again.`,
    );
}

const endOf = ({ detail, atMs }: AuditEntry) => parseTimestamp(String(detail?.['acceptedUntil'])) ?? atMs;

const createKey = (account: string) =>
  `create another one with "transactions keys create ${account === OPERATOR_ACCOUNT ? '--operator' : `--account ${account}`}", and give it to its holder.`;

interface EndpointOptions extends RepeatOptions {
  stateAtMs: number | undefined;
}

async function repeatForEndpoint(
  account: string,
  id: string,
  changes: readonly AuditEntry[],
  options: EndpointOptions,
): Promise<void> {
  const { store, stamp, onRepeated, onLeft } = options;
  const found = await store.findWebhook(account, id);
  const deleted = lastOf(changes, 'endpoint.deleted');
  if (deleted !== undefined) {
    if (found !== undefined && (await store.deleteWebhook(account, id, again(deleted, stamp()))))
      onRepeated(deleted);
    return;
  }
  if (found === undefined)
    return onLeft(
      changes[0] as AuditEntry,
      `the endpoint is not in this database: create it again, and give its receiver the new secret.`,
    );
  await repeatState(found, changes, options);
  const rotated = lastOf(changes, 'endpoint.rotated');
  if (rotated !== undefined)
    onLeft(
      rotated,
      `the secret is the previous one: POST to /v1/webhooks/${id}/rotate-secret with a key of the account, and give its receiver the new one.`,
    );
  const changed = changes.filter(({ detail }) => detail?.['fields'] !== undefined);
  const fields = new Set(changed.flatMap(({ detail }) => detail?.['fields'] as readonly string[]));
  const last = changed.at(-1);
  if (last !== undefined) onLeft(last, `change ${[...fields].join(', ')} of the endpoint again.`);
}

/** Repeats only what a person did. The service disables a failing endpoint again by itself. */
async function repeatState(
  { failureCount: _, ...stored }: ListedWebhook,
  changes: readonly AuditEntry[],
  options: EndpointOptions,
): Promise<void> {
  const { store, stamp, stateAtMs, onRepeated, onLeft } = options;
  const last = changes.findLast(({ action }) => isState(action));
  // If the database has a later entry that enabled or disabled the endpoint, that entry must not be undone.
  if (last === undefined || (stateAtMs !== undefined && stateAtMs > last.atMs)) return;
  if (last.action === 'endpoint.enabled' && stored.disabled !== null)
    onLeft(last, `enable the endpoint again.`);
  const isByPerson = last.action === 'endpoint.disabled' && last.via !== 'service';
  if (!isByPerson || stored.disabled !== null) return;
  const entry = again(last, stamp());
  const disabled = { reason: 'requested', atMs: entry.atMs } as const;
  if (await store.replaceWebhook({ ...stored, disabled, version: stored.version + 1 }, 'change', entry))
    return onRepeated(last);
  const found = await store.findWebhook(stored.account, stored.id);
  if (found !== undefined) await repeatState(found, changes, options);
}

async function leaveAccount(
  changes: readonly AuditEntry[],
  { store, onLeft }: Pick<RepeatOptions, 'store' | 'onLeft'>,
  known: readonly AuditEntry[],
): Promise<void> {
  const isErasure = ({ action }: AuditEntry) => isErased(action) || action === 'account.closed';
  const erased = changes.findLast(isErasure);
  const archived = lastOf(changes.slice(changes.findLastIndex(isErasure) + 1), 'account.archived');
  const [{ account }] = changes as [AuditEntry];
  if ((erased ?? archived) === undefined || !(await isKnownAccount(store, account))) return;
  if (erased !== undefined && !known.some(({ action, atMs }) => isErased(action) && atMs > erased.atMs))
    onLeft(erased, `the account is there again: run "transactions erase --account ${account}".`);
  if (archived === undefined) return;
  const before = String(archived.detail?.['before']);
  const isRepeated = ({ action, atMs, detail }: AuditEntry) =>
    atMs > archived.atMs && (isErased(action) || String(detail?.['before']) >= before);
  if (!known.some(isRepeated))
    onLeft(
      archived,
      `the archived transactions are there again: run "transactions archive --before ${before} --account ${account}" with another folder.`,
    );
}
