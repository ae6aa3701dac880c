import {
  type BackgroundConnections,
  type Connections,
  type RowReader,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { nonceSql } from '../../changes/postgres/list-changes.ts';
import type { CountedTotals, ListedSummer, Total, TotalsReader } from '../totals.ts';
import { listedSummer } from './sum-listed.ts';

export interface TotalsOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

const daysSql = (account: string, columns: string) => `SELECT ${columns} FROM daily_totals
WHERE account = ${account} AND day >= $4 AND day <= $5
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)`;

const eachDaySql = (account: string) =>
  daysSql(account, 'day::bigint AS day, currency_code, status, count, amount::text AS amount');

const addedUpSql = (account: string) => `${daysSql(
  account,
  'NULL::bigint AS day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount',
)}
GROUP BY currency_code, status`;

/**
 * The stored totals of the account $1 from the day $4 to $5, each day or added up, with the head and the nonce of the change there in each row, from
 * one snapshot. Without a total, there is one row with the number alone. The status $2 and the currency $3 can be empty texts, for all.
 */
const storedTotalsSql = (topology: Topology, { byDay }: { byDay: boolean }) =>
  selectOfAccount(
    topology,
    'head_sequence, last_nonce, day, currency_code, status, count, amount',
    (
      account,
    ) => `SELECT last_number.head_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = ${account}), 0) AS head_sequence OFFSET 0
) AS last_number
CROSS JOIN LATERAL (
SELECT ${nonceSql(account, 'last_number.head_sequence')} AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
${byDay ? eachDaySql(account) : addedUpSql(account)}
) AS totals ON true`,
  );

const nonceStatementSql = (topology: Topology) =>
  selectOfAccount(topology, 'nonce', (account) => `SELECT ${nonceSql(account, '$2')} AS nonce`);

/** A total of a row that a join can have filled with nulls. */
function readTotal(row: RowReader): Total | null {
  const day = row.integerOrNull();
  const currencyCode = row.textOrNull();
  const status = row.textOrNull();
  const count = row.integerOrNull();
  const amount = row.textOrNull();
  return currencyCode === null || status === null || count === null || amount === null
    ? null
    : { day, currencyCode, status, count, amountMinor: BigInt(amount) };
}

interface StoredTotalsRow {
  number: Omit<CountedTotals, 'totals'>;
  total: Total | null;
}

const readStoredRow = (row: RowReader): StoredTotalsRow => ({
  number: { asOf: row.integer(), lastNonce: row.integerOrNull() },
  total: readTotal(row),
});

/** Open ends of ranges: no day is beyond them. */
const FIRST_DAY = -(2 ** 31);
const LAST_DAY = 2 ** 31 - 1;
/** A range without a day. */
const NO_DAYS = { from: 1, to: 0 };

export function totalsStore({ primary, background, topology }: TotalsOptions): TotalsReader & ListedSummer {
  const addedUp = readStatement(storedTotalsSql(topology, { byDay: false }), readStoredRow);
  const eachDay = readStatement(storedTotalsSql(topology, { byDay: true }), readStoredRow);
  const nonce = readStatement(nonceStatementSql(topology), (row) => row.integerOrNull());

  return {
    readStoredTotals: async ({ account, status, currency, byDay, days }) => {
      const { from, to } = days ?? NO_DAYS;
      const values = [account, status ?? '', currency ?? '', from ?? FIRST_DAY, to ?? LAST_DAY];
      const rows = await primary.read(byDay ? eachDay : addedUp, values);
      const [first] = rows;
      if (first === undefined) throw new Error('PostgreSQL returned no head of the account');
      return { ...first.number, totals: rows.flatMap(({ total }) => total ?? []) };
    },
    readNonce: async (account, sequence) => {
      const [found = null] = await primary.read(nonce, [account, sequence]);
      return found;
    },
    ...listedSummer(background, topology),
  };
}
