import type { DatabaseSync } from 'node:sqlite';
import { auditValues } from '../../../audit/audit.ts';
import { prepared } from '../../../db/sqlite/prepared.ts';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import { AUDIT, type DetailsRemover, FIND, REMOVE } from '../details-remover.ts';

/** The write of DetailsRemover, inside the caller's transaction of the database. */
export type DetailsWriter = Synchronous<DetailsRemover>;

export function detailsWriter(db: DatabaseSync): DetailsWriter {
  const find = prepared(db, FIND);
  const audit = prepared(db, AUDIT);
  const remove = prepared(db, REMOVE);
  return {
    removeDetails: (account, reference, entry) => {
      const values = { ...auditValues(entry), account, reference };
      audit.run(values);
      if (remove.all(values).length > 0) return 'removed';
      return find.get(values) === undefined ? undefined : 'unchanged';
    },
  };
}
