import pg from 'pg';
import {
  arrayText,
  type Background,
  type Connections,
  type RowReader,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import { selectOfAccount } from '../../../db/postgres/row-level-security.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { DAY_MS } from '../../../values/calendar.ts';
import { PENDING } from '../../../values/status.ts';
import { nonceSql } from '../../changes/postgres/list-changes.ts';
import {
  type DaySum,
  isBehind,
  type ListedSummer,
  type PeriodRange,
  type StoredTotals,
  type StoredTotalsQuery,
  type Total,
  type TotalsReader,
  type TotalsUpdater,
} from '../totals.ts';
import { addOnCitus, addOnPostgres } from './add-to-totals.ts';
import { listedSummer } from './sum-listed.ts';

export interface TotalsOptions {
  primary: Connections;
  background: Background;
  topology: Topology;
}

/** The first day that a transaction can have, before 1970. Division rounds towards 0, so days are counted from it. */
const FIRST_DAY = -719_162;
const DAY = `(created_at_ms + ${-FIRST_DAY * DAY_MS}) / ${DAY_MS} - ${-FIRST_DAY}`;

/** More changes are summed on connections that no list shares. */
const QUICK_CHANGES = 500;

/**
 * What the changes of the account $1 after $2 up to $3 add: each that made a transaction pending, and each that gave it its
 * final status, where it takes it from the pending ones if it was one of them. Each row has the nonce of the change $3 as well; without a
 * sum, because the changes are archived, there is one row with the nonce alone.
 *
 * ORDER BY names the column of the range, so that no statistics can make another index look cheaper: see list-sql.ts.
 */
export const sumChangesSql = (topology: Topology) =>
  selectOfAccount(topology, 'last_nonce, day, currency_code, status, count, amount', (account) => {
    const select = (status: string, sign: 1 | -1, sequence: string, condition = 'true') =>
      `(SELECT ${DAY} AS day, currency_code, ${status} AS status, ${sign} AS count, ${sign} * amount_minor AS amount
FROM transactions
WHERE account = ${account} AND ${sequence} > $2 AND ${sequence} <= $3 AND ${condition}
ORDER BY ${sequence})`;
    const pending = `'${PENDING}'::text COLLATE "C"`;
    return `SELECT last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (SELECT ${nonceSql(account, '$3')} AS nonce OFFSET 0) AS last_change
LEFT JOIN LATERAL (
SELECT day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount FROM (
${select(pending, 1, 'pending_sequence')}
UNION ALL
${select('status', 1, 'final_sequence')}
UNION ALL
${select(pending, -1, 'final_sequence', 'pending_sequence IS NOT NULL')}
) AS changes
GROUP BY day, currency_code, status
HAVING sum(count) <> 0 OR sum(amount) <> 0
) AS sums ON true`;
  });

const periodsSql = (account: string, table: string, period: string, from: string, to: string) =>
  `SELECT found.* FROM unnest(${from}::integer[], ${to}::integer[]) AS ranges (first, last) CROSS JOIN LATERAL (
SELECT ${period}::bigint AS period, currency_code, status, count, amount FROM ${table}
WHERE account = ${account} AND ${period} >= ranges.first AND ${period} <= ranges.last
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)
OFFSET 0) AS found`;

/** Sums of days, each of which has one row for a currency and status. */
const daysSql = (account: string) =>
  `SELECT period AS day, currency_code, status, count, amount::text AS amount FROM (
${periodsSql(account, 'daily_totals', 'day', '$4', '$5')}
) AS days
WHERE count <> 0 OR amount <> 0`;

const addedUpSql = (account: string) =>
  `SELECT NULL::bigint AS day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount FROM (
${periodsSql(account, 'daily_totals', 'day', '$4', '$5')}
UNION ALL
${periodsSql(account, 'monthly_totals', 'month', '$6', '$7')}
) AS periods
GROUP BY currency_code, status
HAVING sum(count) <> 0 OR sum(amount) <> 0`;

/**
 * The stored totals of the account $1 in ranges of days and, unless each day has totals of its own, of months, with their number and the
 * head in each row, from one snapshot. Without a total, there is one row with the numbers alone. The status $2 and the currency $3
 * can be empty texts, for all.
 */
export const storedTotalsSql = (topology: Topology, byDay: boolean) =>
  selectOfAccount(
    topology,
    'head_sequence, totals_sequence, last_nonce, day, currency_code, status, count, amount',
    (
      account,
    ) => `SELECT numbers.head_sequence, numbers.totals_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = ${account}), 0) AS head_sequence,
  coalesce((SELECT totals_progress.sequence FROM totals_progress WHERE totals_progress.account = ${account}), 0) AS totals_sequence OFFSET 0
) AS numbers
CROSS JOIN LATERAL (
SELECT ${nonceSql(account, 'greatest(numbers.head_sequence, numbers.totals_sequence)')} AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
${byDay ? daysSql(account) : addedUpSql(account)}
) AS totals ON true`,
  );

/**
 * Accounts after one with their head, the number of their stored totals and that of their seal, in the order of accounts. All tables are read from there:
 * the workers of Citus can merge them.
 */
const headsSql = (after: string, limit: string) =>
  `SELECT accounts.account, accounts.head_sequence, coalesce(totals_progress.sequence, 0), coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN totals_progress ON totals_progress.account = accounts.account AND totals_progress.account > ${after}
LEFT JOIN seals ON seals.account = accounts.account AND seals.account > ${after}
WHERE accounts.account > ${after} ORDER BY accounts.account LIMIT ${limit}`;

function readSum(row: RowReader): { lastNonce: number | null; sum: DaySum | null } {
  const lastNonce = row.integerOrNull();
  const total = readTotal(row);
  return { lastNonce, sum: total && { ...total, day: total.day as number } };
}

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
  numbers: Omit<StoredTotals, 'totals'>;
  total: Total | null;
}

function readStoredRow(row: RowReader): StoredTotalsRow {
  const numbers = {
    headSequence: row.integer(),
    totalsSequence: row.integer(),
    lastNonce: row.integerOrNull(),
  };
  return { numbers, total: readTotal(row) };
}

type Heads = [account: string, headSequence: number, totalsSequence: number, sealedSequence: number][];

const HEADS = readStatement(headsSql('$1', '$2'), (row): Heads[number] => [
  row.text(),
  row.integer(),
  row.integer(),
  row.integer(),
]);

/** Open ends of ranges: no day or month is beyond them. */
const FIRST_PERIOD = -(2 ** 31);
const LAST_PERIOD = 2 ** 31 - 1;

const endsOf = (ranges: readonly PeriodRange[]) => [
  arrayText(ranges.map(({ from }) => from ?? FIRST_PERIOD)),
  arrayText(ranges.map(({ to }) => to ?? LAST_PERIOD)),
];

export function totalsStore({
  primary,
  background,
  topology,
}: TotalsOptions): TotalsReader & TotalsUpdater & ListedSummer {
  const sumChanges = readStatement(sumChangesSql(topology), readSum);
  const totals = readStatement(storedTotalsSql(topology, false), readStoredRow);
  const totalsByDay = readStatement(storedTotalsSql(topology, true), readStoredRow);
  const addToTotals = (topology === 'one server' ? addOnPostgres : addOnCitus)(background);

  const readHeads = async (after: string, limit: number): Promise<Heads> => {
    if (topology === 'one server') return background.read(HEADS, [after, limit]);
    // Citus has no plan with parameters of a statement that reads every shard.
    const [heads] = await background.script(after, headsSql(pg.escapeLiteral(after), String(limit)));
    return heads as Heads;
  };

  return {
    readStoredTotals: async ({ account, status, currency, byDay, days, months }: StoredTotalsQuery) => {
      const values = [account, status ?? '', currency ?? '', ...endsOf(days)];
      const rows = byDay
        ? await primary.read(totalsByDay, values)
        : await primary.read(totals, [...values, ...endsOf(months)]);
      const [first] = rows;
      if (first === undefined) throw new Error('PostgreSQL returned no head of the account');
      return { ...first.numbers, totals: rows.flatMap(({ total }) => total ?? []) };
    },
    sumChanges: async (account, after, upTo) => {
      const connections = upTo - after > QUICK_CHANGES ? background : primary;
      const rows = await connections.read(sumChanges, [account, after, upTo]);
      const [first] = rows;
      if (first === undefined) throw new Error('PostgreSQL returned no nonce of the last change');
      return { sums: rows.flatMap(({ sum }) => sum ?? []), lastNonce: first.lastNonce };
    },
    listBehind: async (afterAccount, limit) => {
      const heads = await readHeads(afterAccount, limit);
      return {
        accounts: heads
          .map(([account, headSequence, totalsSequence, sealedSequence]) => ({
            account,
            headSequence,
            totalsSequence,
            sealedSequence,
          }))
          .filter(isBehind),
        last: heads.at(-1)?.[0] ?? null,
      };
    },
    addToTotals,
    ...listedSummer(background, topology),
  };
}
