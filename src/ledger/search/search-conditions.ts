import { EQUALITY_FILTERS, timeRange } from '../list/list-filter.ts';
import type { ListQuery } from '../list/list-query.ts';
import type { SearchQuery } from './search-query.ts';

/** The list whose transactions are compared: the range of days, with the filter that has an index of its own. */
export function comparedList({ account, filter, after }: SearchQuery): ListQuery {
  return { account, filter: { ...filter, status: null, currency: null }, after };
}

type Value = string | number | null;

/** The conditions of every search. A condition whose value is null has no effect. */
const CONDITIONS: readonly { sql: (value: string) => string; type: 'text' | 'bigint' }[] = [
  ...EQUALITY_FILTERS.map(({ column }) => ({
    sql: (value: string) => `${column} = ${value}`,
    type: 'text' as const,
  })),
  { sql: (value) => `created_at_ms >= ${value}`, type: 'bigint' },
  { sql: (value) => `amount_minor >= ${value}`, type: 'bigint' },
  { sql: (value) => `amount_minor <= ${value}`, type: 'bigint' },
  { sql: (value) => `paid_at_ms >= ${value}`, type: 'bigint' },
  { sql: (value) => `paid_at_ms < ${value}`, type: 'bigint' },
];

/** The conditions as SQL. `parameter` writes the parameter of each value of searchValues, `hasText` whether a row has the text. */
export function searchConditions(
  parameter: (index: number, type: 'text' | 'bigint') => string,
  hasText: (text: string) => string,
): string {
  const compared = CONDITIONS.map(({ sql, type }, index) => {
    const value = parameter(index, type);
    return `(${value} IS NULL OR ${sql(value)})`;
  });
  const text = parameter(CONDITIONS.length, 'text');
  return [...compared, `(${text} IS NULL OR ${hasText(text)})`].join('\n  AND ');
}

/** The values of the conditions, in their order. */
export function searchValues({ filter, terms }: SearchQuery): Value[] {
  return [
    ...EQUALITY_FILTERS.map(({ name }) => filter[name]),
    timeRange(filter).fromMs,
    terms.amountFromMinor,
    terms.amountToMinor,
    terms.paidFromMs,
    terms.paidBeforeMs,
    terms.text,
  ];
}
