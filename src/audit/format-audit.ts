import { formatTimestamp } from '../../values/calendar.ts';
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

export type FormattedAudit = ReturnType<typeof formatAudit>;

/** Where a log has an entry, so that lines that it lost are noticed: the log of one listener, and the entry before. */
export interface LoggedPlace {
  log: string;
  number: number;
  previous: Pick<FormattedAudit, 'id' | 'at'> | null;
}

/** Numbers the entries that the requests of a listener log. */
export function auditLog(log: string): (entry: AuditEntry) => FormattedAudit & { logged: LoggedPlace } {
  let number = 0;
  let previous: LoggedPlace['previous'] = null;
  return (entry) => {
    const formatted = formatAudit(entry);
    const logged = { log, number: ++number, previous };
    previous = { id: formatted.id, at: formatted.at };
    return { ...formatted, logged };
  };
}
