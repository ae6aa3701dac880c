import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../db/sqlite/prepared.ts';
import { MARK_MOVED } from '../watch-accounts.ts';

/** Marks an account that is watched. Belongs to the transaction of the database in which it moves. */
export function moveMarker(db: DatabaseSync): (account: string) => void {
  const mark = prepared(db, MARK_MOVED);
  return (account) => {
    mark.run({ account });
  };
}
