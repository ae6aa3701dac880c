import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { containsText } from '../../../values/search-pattern.ts';
import type { Position } from '../../list/list-query.ts';
import { type ListShape, shapeName, shapeOf } from '../../list/list-shape.ts';
import { LISTED_COLUMNS, listSql } from '../../list/sqlite/list-sql.ts';
import { type TransactionRow, transactionOf } from '../../transaction-columns.ts';
import { comparedList, searchConditions, searchValues } from '../search-conditions.ts';
import type { SearchQuery, SearchResult } from '../search-query.ts';

const NEWEST_FIRST = 'ORDER BY created_at_ms DESC, reference DESC';

/** The transactions that match among the first ones of a list. */
function searchSql(shape: ListShape, listValues: number, compared: number): string {
  const conditions = searchConditions(
    (index) => `?${listValues + index + 1}`,
    (text) => `has_text(${text}, reference, merchant_reference, coalesce(final_details, details))`,
  );
  return `SELECT ${LISTED_COLUMNS.join(', ')}
FROM (
${listSql(shape, compared)}
)
WHERE ${conditions}
${NEWEST_FIRST}`;
}

/** The last of the first ones of a list; no row if the list has fewer. */
function searchEndSql(shape: ListShape, compared: number): string {
  return `SELECT created_at_ms AS createdAtMs, reference
FROM (
${listSql(shape, compared, 0, ['created_at_ms', 'reference'])}
)
${NEWEST_FIRST}
LIMIT 1 OFFSET ${compared - 1}`;
}

/** Whether one of the texts of a transaction contains a text. As fast as GLOB, which has no choice between one letter and two. */
function hasText(
  text: string,
  reference: string,
  merchantReference: string | null,
  details: string | null,
): number {
  const isFound =
    containsText(reference, text) ||
    (merchantReference !== null && containsText(merchantReference, text)) ||
    (details !== null &&
      Object.values<string>(JSON.parse(details)).some((value) => containsText(value, text)));
  return Number(isFound);
}

/** Runs searches with statements that are prepared once. */
export function transactionSearcher(
  db: DatabaseSync,
): (query: SearchQuery, compared: number) => SearchResult {
  const statements = new Map<string, { search: StatementSync; end: StatementSync }>();
  const snapshot = inSnapshot(db);
  db.function('has_text', { deterministic: true }, hasText as (...values: SQLInputValue[]) => number);

  const statementsOf = (shape: ListShape, listValues: number, compared: number) => {
    const key = `${shapeName(shape)}${compared}`;
    let found = statements.get(key);
    if (found === undefined) {
      const search = db.prepare(searchSql(shape, listValues, compared));
      search.setReturnArrays(true);
      found = { search, end: db.prepare(searchEndSql(shape, compared)) };
      statements.set(key, found);
    }
    return found;
  };

  return (query, compared) => {
    const { shape, values } = shapeOf(comparedList(query));
    const { search, end } = statementsOf(shape, values.length, compared);
    // Both read the same transactions: one that is recorded between them would move the end.
    return snapshot(() => {
      const rows = search.all(...values, ...searchValues(query)) as unknown as TransactionRow[];
      const last = end.get(...values) as unknown as Position | undefined;
      return { transactions: rows.map(transactionOf), end: last ?? null };
    });
  };
}
