import { TABLES, type Table } from '../../values/tables.ts';

export interface ValueCheck {
  name: string;
  condition: string;
}

/** `names` are the broken CHECKs, each followed by a space. */
export type RefusedRow = [names: string, ...key: (string | number | null)[]];

/** In a damaged table, every row can break a CHECK, so only this many rows are reported. */
export const MAX_REFUSED = 1000;

/** Each column and constraint of the CREATE TABLE must be on its own line. */
export function checksOf(sql: string): ValueCheck[] {
  return [...sql.matchAll(/^ *(?:CONSTRAINT )?(\w+)\b.*?\bCHECK (?=\()/gm)].map(
    ({ 0: { length }, 1: name = '', index }) => ({ name, condition: enclosed(sql.slice(index + length)) }),
  );
}

function enclosed(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/'[^']*'|[()]/g)) {
    if (token === '(') depth++;
    if (token === ')' && --depth === 0) return text.slice(0, index + 1);
  }
  throw new Error(`the parenthesis of a CHECK is not closed: ${text}`);
}

/** A CHECK accepts a row if its condition is NULL, so the SQL uses `NOT`, and not `IS NOT TRUE`. */
export function selectRefused(table: Table, checks: readonly ValueCheck[], isOfAccount: boolean): string {
  const names = checks.map(({ name, condition }) => `CASE WHEN NOT ${condition} THEN '${name} ' ELSE '' END`);
  const all = checks.map(({ condition }) => condition).join(' AND ');
  return `SELECT ${names.join(' || ')}, ${TABLES[table].key.join(', ')} FROM ${table}
WHERE ${isOfAccount ? 'account = $1 AND ' : ''}NOT (${all}) LIMIT ${MAX_REFUSED}`;
}
