import type { DatabaseSync } from 'node:sqlite';
import { notedStatuses } from '../../recorded-statuses.ts';

export function recordedStatusReader(db: DatabaseSync): () => string[] {
  const read = db.prepare('SELECT status FROM recorded_statuses ORDER BY status');
  return () => (read.all() as { status: string }[]).map(({ status }) => status);
}

/** Notes the statuses of transactions, in the transaction of the database that records them. */
export function statusNoter(db: DatabaseSync): (statuses: Iterable<string | null>) => void {
  const insert = db.prepare('INSERT INTO recorded_statuses (status) VALUES (?) ON CONFLICT DO NOTHING');
  return (statuses) => {
    for (const status of notedStatuses(statuses)) insert.run(status);
  };
}
