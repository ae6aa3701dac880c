import type { DatabaseSync } from 'node:sqlite';

/**
 * Makes the function `visit` in a database and counts its calls. Called with a column that no index has, it counts
 * the rows of the table that a statement reads until its limit.
 */
export function countVisits(db: DatabaseSync): { count: number } {
  const visits = { count: 0 };
  db.function('visit', { deterministic: false }, (_amount: unknown) => {
    visits.count++;
    return 1;
  });
  return visits;
}
