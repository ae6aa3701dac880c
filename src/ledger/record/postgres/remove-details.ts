import { auditValues } from '../../../audit/audit.ts';
import { scriptOf } from '../../../db/postgres/sent-statement.ts';
import { AUDIT, type DetailsRemover, FIND, LOCK_HEAD, REMOVE } from '../details-remover.ts';
import type { StatementSender } from './record-statements.ts';

/** Each statement names the account as a value, by which Citus finds the shard. */
export const detailsRemover = (connections: Pick<StatementSender, 'script'>): DetailsRemover => ({
  removeDetails: async (account, reference, entry) => {
    const values = { ...auditValues(entry), account, reference };
    const script = [LOCK_HEAD, FIND, AUDIT, REMOVE].map((statement) => scriptOf(statement, values));
    const [, found = [], , removed = []] = await connections.script(script.join(';\n'));
    return removed.length > 0 ? 'removed' : found.length > 0 ? 'unchanged' : undefined;
  },
});
