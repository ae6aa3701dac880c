import assert from 'node:assert/strict';
import { constants, type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** The steps of the plan of a statement. */
export const planOf = (db: DatabaseSync, sql: string, ...values: SQLInputValue[]) =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map((step) => String(step['detail']));

/** Fails if executions of a statement plan it again. */
export function checkPlannedOnce(
  db: DatabaseSync,
  sql: string,
  execute: (statement: StatementSync) => void,
): void {
  let planned = 0;
  // Called only while a statement is planned.
  db.setAuthorizer(() => {
    planned++;
    return constants.SQLITE_OK;
  });
  const statement = db.prepare(sql);
  assert.ok(planned > 0);
  planned = 0;
  execute(statement);
  db.setAuthorizer(null);
  assert.equal(planned, 0);
}
