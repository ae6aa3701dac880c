import { hash } from 'node:crypto';
import { BASE62, randomBase62 } from '../../values/base62.ts';
import { MAX_WEBHOOKS } from '../../values/interface/limits.ts';
import { faultyField, Problem, type ProblemOptions } from '../../values/problem.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { sentence } from '../../values/sentence.ts';
import { Unavailable } from '../../values/unavailable.ts';
import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import type { ArchiveReader } from '../ledger/archives/archive.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import { readHead } from '../ledger/changes/changes.ts';
import {
  type EndpointName,
  type ListedWebhook,
  type WebhookEndpoint,
  type WebhookManager,
  webhookChanged,
  webhookDeleted,
  webhookReplayed,
} from './webhook.ts';
import type { NewWebhookFields, WebhookChanges } from './webhook-fields.ts';
import { newWebhookSecret, signingOf } from './webhook-message.ts';

export const PREVIOUS_SECRET_MS = 86_400_000;

/** A try fails only if another change of the endpoint succeeded meanwhile. */
const MAX_TRIES = 50;

export interface WebhookManagement {
  store: WebhookManager & Pick<ChangeReader, 'readHeads'> & ArchiveReader;
  now: () => number;
  randomBytes: RandomBytes;
  stamp: () => AuditStamp;
  onAudited?: (entry: AuditEntry) => void;
}

const tooManyWebhooks = () =>
  new Problem(
    'too_many_webhooks',
    `The account has ${MAX_WEBHOOKS} endpoints already. Delete one that is not used, or change it.`,
  );

const keyReused = (id: string, clause: string) =>
  new Problem('idempotency_key_reused', `This Idempotency-Key created the endpoint ${id}${clause}`);

const deleted = (id: string) => keyReused(id, ', which was deleted. Use a new key for a new endpoint.');

const differs = (id: string, differing: readonly string[]) =>
  keyReused(
    id,
    `, which has a different ${differing.join(', ')}. Change that endpoint, or use a new key for a new one.`,
  );

const tooOld = (id: string) =>
  keyReused(
    id,
    ' more than 24 hours ago, so its secret is not shown again. Rotate its secret, or use a new key for a new endpoint.',
  );

function replayRefused(
  after: number,
  acknowledgedSequence: number,
  headSequence: number,
  floorSequence: number,
): Problem {
  const pointer = '/after';
  const refuse = (code: 'changes_archived' | 'sequence_ahead', clause: string, numbers: ProblemOptions) => {
    const detail = `is ${after}, but ${clause}`;
    const fieldErrors = [{ pointer, code, detail }];
    return new Problem(code, sentence(`${pointer} ${detail}`), { fieldErrors, ...numbers });
  };
  if (after < floorSequence) {
    const clause = `changes up to ${floorSequence} are archived; write at least ${floorSequence}`;
    return refuse('changes_archived', clause, { floorSequence });
  }
  if (after > headSequence) {
    const clause = `the last change of the account has the number ${headSequence}`;
    return refuse('sequence_ahead', clause, { headSequence });
  }
  return faultyField({
    pointer,
    code: 'invalid_value',
    detail: `is ${after}, but changes are delivered only up to ${acknowledgedSequence}, and a replay skips none; write at most ${acknowledgedSequence}`,
  });
}

const ID_CHARACTERS = 16;

/** The same idempotency key gives the same id. The id is a primary key, so only one endpoint is created. */
function repeatedId(account: string, idempotencyKey: string): string {
  const digest = Buffer.from(hash('sha512', `${account} ${idempotencyKey}`, 'hex'), 'hex');
  return `we_${[...digest.subarray(0, ID_CHARACTERS)].map((byte) => BASE62[byte % BASE62.length]).join('')}`;
}

export const sameUrlWarning = (id: string) =>
  `The endpoint ${id} has the same URL: its receiver gets each change once from each of the two endpoints. Delete one of them, if both have the same types.`;

/** A creation that is repeated within this time returns the secret. Clients do not retry for longer. */
const REPEATED_FOR_MS = 86_400_000;

interface WebhookCreation {
  created: ListedWebhook;
  isReplayed: boolean;
  sameUrlId: string | null;
}

export async function createWebhook(
  { store, now, randomBytes, stamp, onAudited }: WebhookManagement,
  account: string,
  fields: NewWebhookFields,
  idempotencyKey: string | null = null,
): Promise<WebhookCreation> {
  const listed = await store.listWebhooks(account);
  const id =
    idempotencyKey === null
      ? `we_${randomBase62(ID_CHARACTERS, randomBytes)}`
      : repeatedId(account, idempotencyKey);
  const sameUrlId = listed.find((webhook) => webhook.url === fields.url && webhook.id !== id)?.id ?? null;
  const repeat = (created: ListedWebhook) => ({
    created: requireSame(created, fields, now()),
    isReplayed: true,
    sameUrlId,
  });
  const before = listed.find((webhook) => webhook.id === id);
  if (before !== undefined) return repeat(before);
  const headSequence = await readHead(store, account);
  const nowMs = now();
  const { signing, ...ownFields } = fields;
  const created: WebhookEndpoint = {
    id,
    account,
    ...ownFields,
    secret: newWebhookSecret(signing, randomBytes),
    previousSecret: null,
    createdAtMs: nowMs,
    disabled: null,
    version: nowMs,
    replayVersion: nowMs,
    acknowledgedSequence: headSequence,
    failingSinceMs: null,
    isQuick: null,
  };
  const entry = auditEntry(stamp(), 'endpoint.created', account, id);
  if (!(await store.createWebhook(created, MAX_WEBHOOKS, entry))) {
    // Another request with the same key can have created the endpoint first.
    const quicker = await store.findWebhook(account, id);
    if (quicker !== undefined) return repeat(quicker);
    throw listed.length < MAX_WEBHOOKS ? deleted(id) : tooManyWebhooks();
  }
  onAudited?.(entry);
  return { created: { ...created, failureCount: 0 }, isReplayed: false, sameUrlId };
}

function requireSame(created: ListedWebhook, fields: NewWebhookFields, nowMs: number): ListedWebhook {
  const made = { ...created, signing: signingOf(created.secret) };
  const differing = Object.entries(fields).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(made[name as keyof NewWebhookFields]) ? [] : [name],
  );
  if (differing.length > 0) throw differs(created.id, differing);
  if (Math.abs(nowMs - created.createdAtMs) >= REPEATED_FOR_MS) throw tooOld(created.id);
  return created;
}

export function changeWebhook(
  management: WebhookManagement,
  name: EndpointName,
  { state, ...fields }: WebhookChanges,
): Promise<ListedWebhook | undefined> {
  return replace(management, name, (stored) => {
    const { disabled } = stored;
    // Disabling a disabled endpoint does not replace the first reason.
    const isDisabled = state === undefined ? disabled !== null : state === 'disabled';
    const changed = {
      ...stored,
      ...fields,
      disabled: isDisabled ? (disabled ?? ({ reason: 'requested', atMs: management.now() } as const)) : null,
    };
    if (disabled !== null && changed.disabled === null) changed.failingSinceMs = null;
    if (JSON.stringify(changed) === JSON.stringify(stored)) return null;
    return { replaced: changed, entry: webhookChanged(stored, changed, management.stamp()) };
  });
}

export function replayWebhook(
  management: WebhookManagement,
  name: EndpointName,
  after: number,
): Promise<ListedWebhook | undefined> {
  return replace(management, name, async (stored) => {
    const { acknowledgedSequence } = stored;
    const { store } = management;
    const floorSequence = (await store.readArchive(name.account))?.floorSequence ?? 0;
    if (after > acknowledgedSequence || after < floorSequence) {
      const headSequence = await readHead(store, name.account);
      throw replayRefused(after, acknowledgedSequence, headSequence, floorSequence);
    }
    const replaced = { ...stored, acknowledgedSequence: after, replayVersion: stored.version + 1 };
    return { replaced, by: 'replay', entry: webhookReplayed(stored, after, management.stamp()) };
  });
}

export async function rotateWebhookSecret(
  management: WebhookManagement,
  name: EndpointName,
): Promise<WebhookEndpoint | undefined> {
  const { now, randomBytes } = management;
  const untilMs = now() + PREVIOUS_SECRET_MS;
  let rotated: WebhookEndpoint | undefined;
  const stored = await replace(management, name, (before) => {
    const secret = newWebhookSecret(signingOf(before.secret), randomBytes);
    rotated = { ...before, secret, previousSecret: { secret: before.secret, untilMs } };
    return {
      replaced: rotated,
      entry: auditEntry(management.stamp(), 'endpoint.rotated', name.account, name.id),
    };
  });
  return stored && rotated;
}

export async function deleteWebhook(
  { store, stamp, onAudited }: WebhookManagement,
  name: EndpointName,
): Promise<boolean> {
  const entry = webhookDeleted(name, stamp());
  if (!(await store.deleteWebhook(name.account, name.id, entry))) return false;
  onAudited?.(entry);
  return true;
}

interface Replacement {
  replaced: WebhookEndpoint;
  by?: 'replay';
  entry: AuditEntry;
}

/** If the endpoint changed meanwhile, calls `change` again. If `change` returns null, replaces nothing. */
async function replace(
  { store, onAudited }: Pick<WebhookManagement, 'store' | 'onAudited'>,
  { account, id }: EndpointName,
  change: (stored: WebhookEndpoint) => Replacement | null | Promise<Replacement>,
): Promise<ListedWebhook | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await store.findWebhook(account, id);
    if (found === undefined) return undefined;
    const { failureCount: _, ...stored } = found;
    const changed = await change(stored);
    if (changed === null) return found;
    const replaced = { ...changed.replaced, version: stored.version + 1 };
    if (!(await store.replaceWebhook(replaced, changed.by ?? 'change', changed.entry))) continue;
    onAudited?.(changed.entry);
    // Read again, because deliveries can have changed the acknowledged sequence and the failures.
    return store.findWebhook(account, id);
  }
  throw new Unavailable('endpoint_conflict');
}
