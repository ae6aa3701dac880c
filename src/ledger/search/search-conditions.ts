import { EQUALITY_FILTERS, timeRange } from '../list/list-filter.ts';
import type { ListQuery } from '../list/list-query.ts';
import { columnOf } from '../transaction-columns.ts';
import type { SearchQuery } from './search-query.ts';

/** The list whose transactions are compared: the range of days, with the filter that has an index of its own. */
export function comparedList({ account, filter, after }: SearchQuery): ListQuery {
  return { account, filter: { ...filter, status: null, currency: null }, after };
}

type Value = string | number | null;

/** The conditions of every search. A condition whose value is null has no effect. */
const CONDITIONS: readonly { sql: (value: string) => string; type: 'text' | 'bigint' }[] = [
  ...EQUALITY_FILTERS.map(({ field }) => ({
    sql: (value: string) => `${columnOf(field)} = ${value}`,
    type: 'text' as const,
  })),
  { sql: (value) => `created_at_ms >= ${value}`, type: 'bigint' },
  { sql: (value) => `amount_minor >= ${value}`, type: 'bigint' },
  { sql: (value) => `amount_minor <= ${value}`, type: 'bigint' },
  { sql: (value) => `paid_at_ms >= ${value}`, type: 'bigint' },
  { sql: (value) => `paid_at_ms < ${value}`, type: 'bigint' },
];

/** How a database searches for the text. Each has `normalize`, which makes a letter and its accent one character (NFC). */
interface TextSearch {
  /** The operator between a text and the pattern that it matches. */
  matches: string;
  /** The values of details, which are JSON, as rows of a column `value`. */
  valuesOf(details: string): string;
}

/** Most texts are ASCII, which is the same in every form. */
const normalized = (column: string) =>
  `CASE WHEN octet_length(${column}) > length(${column}) THEN normalize(${column}) ELSE ${column} END`;

const DETAILS = 'coalesce(final_details, details)';

/** The conditions as SQL. `parameter` writes the parameter of each value of searchValues. */
export function searchConditions(
  parameter: (index: number, type: 'text' | 'bigint') => string,
  { matches, valuesOf }: TextSearch,
): string {
  const compared = CONDITIONS.map(({ sql, type }, index) => {
    const value = parameter(index, type);
    return `(${value} IS NULL OR ${sql(value)})`;
  });
  const pattern = parameter(CONDITIONS.length, 'text');
  const isFound = (column: string) => `${normalized(column)} ${matches} ${pattern}`;
  const found = [
    ...['reference', 'merchant_reference'].map(isFound),
    `${DETAILS} IS NOT NULL AND EXISTS (SELECT 1 FROM ${valuesOf(DETAILS)} WHERE ${isFound('value')})`,
  ];
  return [...compared, `(${pattern} IS NULL OR ${found.join(' OR ')})`].join('\n  AND ');
}

/** The values of the conditions, in their order. */
export function searchValues({ filter, terms }: SearchQuery, patternOf: (text: string) => string): Value[] {
  return [
    ...EQUALITY_FILTERS.map(({ name }) => filter[name]),
    timeRange(filter).fromMs,
    terms.amountFromMinor,
    terms.amountToMinor,
    terms.paidFromMs,
    terms.paidBeforeMs,
    terms.text === null ? null : patternOf(terms.text.normalize()),
  ];
}
