import { auditValues } from '../../audit/audit.ts';
import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import type { DetailsRemover } from './record.ts';

const sql = statementsOf(new URL('./remove-details.sql', import.meta.url));
const LOCK_HEAD = sql('lockHead', (row) => row.integer());
const FIND = sql('findTransaction', (row) => row.text());
const AUDIT = sql('auditRemoval');
const REMOVE = sql('removeDetails', (row) => row.text());

export const detailsRemover = (db: Db): DetailsRemover => ({
  removeDetails: async (account, reference, entry) => {
    const values = { ...auditValues(entry), account, reference };
    const [, found, , removed] = await db.write({ turn: 'stream' }, [
      { statement: LOCK_HEAD, values },
      { statement: FIND, values },
      { statement: AUDIT, values },
      { statement: REMOVE, values },
    ]);
    if (found.length === 0) return undefined;
    return removed.length > 0 ? 'removed' : 'unchanged';
  },
});
