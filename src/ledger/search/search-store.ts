import { FIRST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { searchPattern } from '../../../values/search-pattern.ts';
import type { Db } from '../../db/db.ts';
import { type Row, type Statement, statementsOf } from '../../db/statement.ts';
import { EQUALITY_FILTERS, equalityOf, NEWEST, timeRange } from '../list/list.ts';
import { compareInList, readTransactionRow, type Transaction } from '../transaction.ts';
import type { SearchQuery, TransactionSearcher } from './search.ts';

const sql = statementsOf(new URL('./search.sql', import.meta.url));
/** Leaves out merchantReference, because its filter has a separate statement. */
const CONDITIONS = [
  ...EQUALITY_FILTERS.filter(({ name }) => name !== 'merchantReference').map(
    ({ name, column }) => `(CAST(:${name} AS TEXT) IS NULL OR ${column} = :${name})`,
  ),
  '(CAST(:amountFromMinor AS BIGINT) IS NULL OR amount_minor >= :amountFromMinor)',
  '(CAST(:amountToMinor AS BIGINT) IS NULL OR amount_minor <= :amountToMinor)',
  '(CAST(:paidFromMs AS BIGINT) IS NULL OR paid_at_ms >= :paidFromMs)',
  '(CAST(:paidBeforeMs AS BIGINT) IS NULL OR paid_at_ms < :paidBeforeMs)',
].join(' AND ');

function searching(name: string): Statement<ReturnType<typeof readFound>> {
  const statement = sql(name, readFound);
  const texts = Object.entries(statement.texts).map(([on, text]) => [
    on,
    text.replaceAll(':conditions', CONDITIONS),
  ]);
  return { ...statement, texts: Object.fromEntries(texts) };
}

const SEARCH = searching('search');
const SEARCH_MERCHANT_REFERENCE = searching('searchMerchantReference');

function readFound(row: Row) {
  return { transaction: readTransactionRow(row), compared: row.integerOrNull() };
}

function valuesOf({ account, filter, terms, after }: SearchQuery, compared: number) {
  const { fromMs, beforeMs } = timeRange(filter);
  const end = after ?? (beforeMs === null ? NEWEST : { createdAtMs: beforeMs, reference: '' });
  return {
    account,
    ...equalityOf(filter),
    fromMs: fromMs ?? FIRST_TIMESTAMP_MS,
    afterMs: end.createdAtMs,
    afterReference: end.reference,
    ...terms,
    // A getter, because only the statements of PostgreSQL use the pattern.
    get pattern() {
      return terms.text === null ? null : searchPattern(terms.text);
    },
    compared,
  };
}

export const transactionSearcher = (db: Db): TransactionSearcher => ({
  searchTransactions: async (query, compared) => {
    const search = query.filter.merchantReference === null ? SEARCH : SEARCH_MERCHANT_REFERENCE;
    const rows = await db.read(search, valuesOf(query, compared), 'long');
    const last = rows.find((row) => row.compared !== null);
    const found = rows.filter((row) => row.compared === null).map(({ transaction }) => transaction);
    const isWhole = last?.compared === compared && isInRange(query, last.transaction);
    return { transactions: found.sort(compareInList), end: isWhole ? last.transaction : null };
  },
});

function isInRange({ filter }: SearchQuery, transaction: Transaction): boolean {
  const { fromMs } = timeRange(filter);
  const { merchantReference } = filter;
  return (
    (merchantReference === null || transaction.merchantReference === merchantReference) &&
    (fromMs === null || transaction.createdAtMs >= fromMs)
  );
}
