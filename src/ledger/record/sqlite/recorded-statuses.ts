import type { DatabaseSync } from 'node:sqlite';
import { notedStatuses } from '../../recorded-statuses.ts';

/** Notes the statuses of transactions, in the transaction of the database that records them. */
export function statusNoter(db: DatabaseSync): (statuses: Iterable<string | null>) => void {
  const insert = db.prepare('INSERT INTO recorded_statuses (status) VALUES (?) ON CONFLICT DO NOTHING');
  return (statuses) => {
    for (const status of notedStatuses(statuses)) insert.run(status);
  };
}
