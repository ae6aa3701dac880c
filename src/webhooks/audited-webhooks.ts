import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import type { WebhookEndpoint } from './webhook.ts';

type Name = Pick<WebhookEndpoint, 'account' | 'id'>;

export const webhookCreated = ({ account, id }: Name, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'endpoint.created', account, id);

/** The fields that a request can change. */
const FIELDS = ['url', 'types', 'label', 'ordered'] as const;

/** The names of the fields, without their values: a URL can contain a token. */
export function webhookChanged(
  before: WebhookEndpoint,
  changed: WebhookEndpoint,
  stamp: AuditStamp,
): AuditEntry {
  const { account, id, disabled } = changed;
  const fields = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(changed[field]));
  const detail = fields.length === 0 ? null : { fields };
  const isDisabled = disabled !== null;
  if (isDisabled === (before.disabled !== null))
    return auditEntry(stamp, 'endpoint.changed', account, id, detail);
  return isDisabled
    ? auditEntry(stamp, 'endpoint.disabled', account, id, { ...detail, reason: disabled.reason })
    : auditEntry(stamp, 'endpoint.enabled', account, id, detail);
}

export const webhookRotated = ({ account, id }: Name, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'endpoint.rotated', account, id);

export const webhookReplayed = ({ account, id }: Name, after: number, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'endpoint.replayed', account, id, { after });

export const webhookDeleted = ({ account, id }: Name, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'endpoint.deleted', account, id);
