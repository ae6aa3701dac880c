import { formatTimestamp } from '../values/calendar.ts';
import type { AuditEntry } from './audit.ts';

/** An entry as JSON has it: in the output of `transactions audit`, and in the log line of a request that made it. */
export const formatAudit = ({
  id,
  atMs,
  account,
  action,
  subject,
  detail,
  via,
  actor,
  address,
}: AuditEntry) => ({
  id,
  at: formatTimestamp(atMs),
  account,
  action,
  subject,
  detail,
  via,
  actor,
  address,
});
