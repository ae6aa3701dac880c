import { DatabaseSync } from 'node:sqlite';
import { isDamaged } from '../../db/sqlite/errors.ts';
import { READ_WAIT_MS } from '../../db/sqlite/open-database.ts';
import { answerCalls } from '../../db/sqlite/thread.ts';
import type { RefusedRow } from '../value-checks.ts';
import type { CheckedFile, CheckedObject, Damaged } from './check-file.ts';

/** Every row is looked up in every index, so the upper pages of all indexes must fit into the cache. */
const CACHE_KIB = 65_536;
const MAX_LINES = 1000;

const OBJECTS = `SELECT type, name, rootpage AS rootPage, tbl_name AS "table", coalesce(sql, '') AS sql FROM sqlite_schema WHERE rootpage > 0`;

interface SchemaObject extends CheckedObject {
  table: string;
  sql: string;
}

function check(path: string): CheckedFile {
  using db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
  // CHECKs are left out here, because checkValues reports them row by row.
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA ignore_check_constraints = ON; BEGIN`);
  const objects = db.prepare(OBJECTS).all() as unknown as SchemaObject[];
  const lines: string[] = [];
  try {
    for (const row of db.prepare(`PRAGMA integrity_check(${MAX_LINES})`).iterate())
      lines.push(...String(row['integrity_check']).split('\n'));
    for (const index of objects)
      if (hasStrayEntries(db, index)) lines.push(`wrong # of entries in index ${index.name}`);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    lines.push((error as Error).message);
  }
  const isFault = (line: string) => line !== 'ok' && !line.startsWith('***');
  return {
    lines: lines.filter(isFault),
    objects: objects.map(({ type, name, rootPage }) => ({ type, name, rootPage })),
  };
}

/** Finds entries of a partial index that belong to no row. `PRAGMA integrity_check` does not find them. */
function hasStrayEntries(db: DatabaseSync, { type, name, table, sql }: SchemaObject): boolean {
  const [, condition] = /\sWHERE\s([\s\S]+)$/.exec(sql) ?? [];
  if (type !== 'index' || condition === undefined) return false;
  // With WHERE instead of FILTER, SQLite could take both counts from the index, so they would be equal.
  const counts = db
    .prepare(
      `SELECT (SELECT count(*) FROM ${table} INDEXED BY ${name} WHERE ${condition}) AS entries,
       (SELECT count(*) FILTER (WHERE ${condition}) FROM ${table}) AS rows`,
    )
    .get();
  return counts?.['entries'] !== counts?.['rows'];
}

function refused(path: string, sql: string, account: readonly string[]): RefusedRow[] {
  using db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
  const statement = db.prepare(sql.replace('$1', '?1'));
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const rows = statement.all(...account) as unknown as unknown[][];
  return rows.map((row) => row.map(withoutBigInt) as RefusedRow);
}

const withoutBigInt = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

answerCalls(({ name, values }): CheckedFile | RefusedRow[] | Damaged => {
  try {
    return name === 'check' ? check(values[0] as string) : refused(...(values as [string, string, string[]]));
  } catch (error) {
    if (isDamaged(error)) return { damaged: (error as Error).message };
    throw error;
  }
});
