import {
  type Background,
  type Connections,
  type RowReader,
  readStatement,
  type TxStep,
} from '../../../db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../../db/postgres/read-worker.ts';
import { selectOfAccount, setAccount } from '../../../db/postgres/row-level-security.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { statusUpToSql } from '../../changes/numbered-changes.ts';
import {
  createdAtRange,
  EQUALITY_FILTERS,
  EQUALITY_LIST,
  type EqualityFilter,
  type ListFilter,
  TEXT_FILTERS,
  type TextFilter,
} from '../../list/list-filter.ts';
import type { Position } from '../../list/list-query.ts';
import { listReader } from '../../list/postgres/read-list.ts';
import { readTransaction } from '../../postgres/read-transaction.ts';
import type { Total } from '../../totals/totals.ts';
import { columnOf } from '../../transaction-columns.ts';
import type { ExportStore, NumberedTransaction } from '../export.ts';
import { exportOfText, textOfExport } from '../export-text.ts';

interface ExportStoreOptions {
  primary: Connections;
  background: Background;
  topology: Topology;
}

function readNumbered(row: RowReader): NumberedTransaction {
  return {
    transaction: readTransaction(row),
    pendingSequence: row.integerOrNull(),
    finalSequence: row.integerOrNull(),
  };
}

/** Open ends of a range: no transaction is beyond them. */
const FIRST_MS = Number.MIN_SAFE_INTEGER;
const LAST_MS = Number.MAX_SAFE_INTEGER;

/** Transactions that are summed at once: some 10 ms. */
const SUMMED_ROWS = 5000;

/**
 * The totals as of $3 of the account $1 with the text $2: of the first $7 transactions of the list that are before the position $5, $6, of
 * those created from $4. The values of the other filters follow; an empty text is for all. If the list goes on, the last row has the
 * position where these end. Both parts read the same range in one snapshot: see list-sql.ts.
 */
export const sumListedSql = (topology: Topology, leading: EqualityFilter) =>
  selectOfAccount(topology, 'currency_code, status, count, amount, created_at_ms, reference', (account) => {
    const column = columnOf(EQUALITY_FILTERS[leading].field);
    const others = otherFilters(leading).map(({ field }) => columnOf(field));
    const compared = others.map((other, at) => ` AND ($${at + 8}::text = '' OR ${other} = $${at + 8})`);
    const read = [
      'currency_code',
      ...others.filter((other) => other !== 'currency_code' && other !== 'status'),
    ];
    const range = `FROM transactions
WHERE account = ${account} AND ${column} >= $2 AND (${column}, created_at_ms, reference) < ($2, $5, $6)
ORDER BY ${column} DESC, created_at_ms DESC, reference DESC`;
    return `SELECT currency_code, status, count(*) AS count, sum(amount_minor)::text AS amount, NULL::bigint AS created_at_ms, NULL::text AS reference
FROM (
SELECT ${read.join(', ')}, amount_minor, created_at_ms,
  ${statusUpToSql('$3')} AS status
${range} LIMIT $7
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $4${compared.join('')}
GROUP BY currency_code, status
UNION ALL
(SELECT '', '', 0, '0', created_at_ms, reference
${range} OFFSET $7::bigint - 1 LIMIT 1)`;
  });

const otherFilters = (leading: EqualityFilter) => EQUALITY_LIST.filter(({ name }) => name !== leading);

interface SumRow {
  total: Total;
  /** Null except in the row with the position. */
  end: Position | null;
}

function readSumRow(row: RowReader): SumRow {
  const total = {
    day: null,
    currencyCode: row.text(),
    status: row.text(),
    count: row.integer(),
    amountMinor: BigInt(row.text()),
  };
  const createdAtMs = row.integerOrNull();
  const reference = row.textOrNull();
  return { total, end: createdAtMs === null || reference === null ? null : { createdAtMs, reference } };
}

/** Names the time before which exports are removed to the policies of the table. */
const SET_EXPIRED = readStatement(`SELECT set_config('transactions.exports_before', $1, true)`, (row) =>
  row.text(),
);

const CREATE = readStatement(
  'INSERT INTO exports (account, id, started_at_ms, attempt, record) VALUES ($1, $2, $3, $4, $5)',
  () => undefined,
);
const REPLACE = readStatement(
  'UPDATE exports SET attempt = $3, record = $4 WHERE account = $1 AND id = $2 AND attempt = $5 RETURNING attempt',
  (row) => row.integer(),
);
const REMOVE_OWN = readStatement(
  'DELETE FROM exports WHERE account = $1 AND started_at_ms < $2',
  () => undefined,
);
const removeSql = (before: string) => `DELETE FROM exports WHERE started_at_ms < ${before}`;
const REMOVE = readStatement(removeSql('$1'), () => undefined);

/** The turns of removing exports among the background work: no account has this name. */
const REMOVING = '*exports';

/** The accounts of one shard with expired exports, as `readWorker` needs it. */
const expiredAccountsSql = (expiredMs: number) =>
  `SELECT json_build_array(account) FROM ${shardOf(0)} WHERE started_at_ms < ${expiredMs} GROUP BY account`;

const findSql = (account: string) => `SELECT record FROM exports WHERE account = ${account} AND id = $2`;

const countSql = (account: string) =>
  `SELECT count(*) AS count FROM exports WHERE account = ${account} AND started_at_ms >= $2`;

export function exportStore({ primary, background, topology }: ExportStoreOptions): ExportStore {
  const list = listReader({
    sql: { topology, withNumbers: true },
    readRow: readNumbered,
    send: (_, statement, values) => background.read(statement, values),
  });
  const sums = new Map(
    TEXT_FILTERS.map((name) => [name, readStatement(sumListedSql(topology, name), readSumRow)]),
  );
  const count = readStatement(selectOfAccount(topology, 'count', countSql), (row) => row.integer());
  const find = readStatement(selectOfAccount(topology, 'record', findSql), (row) => row.text());

  const write = async <Row>(account: string, step: TxStep<Row>): Promise<Row[]> => {
    if (topology === 'cluster') return (await background.transact(account, [step]))[0];
    return (await background.transact(account, [setAccount(account), step]))[1];
  };

  const removeOwn = (account: string, expiredMs: number) =>
    write(account, { statement: REMOVE_OWN, values: [account, expiredMs] });

  const removeAll = async (expiredMs: number): Promise<void> => {
    const values = [expiredMs];
    if (topology === 'one server')
      await background.transact(REMOVING, [
        { statement: SET_EXPIRED, values },
        { statement: REMOVE, values },
      ]);
    // Citus has no plan with parameters of a statement that reads every shard.
    else await background.script(REMOVING, removeSql(String(expiredMs)));
  };

  return {
    listNumbered: list,
    sumListed: async (account, filter, asOf, after) => {
      const leading = TEXT_FILTERS.find((name) => filter[name] !== null);
      const sum = leading && sums.get(leading);
      if (leading === undefined || sum === undefined)
        throw new Error('transactions are summed by a text, which the totals do not have');
      const rows = await background.read(sum, valuesOfSum(account, filter, leading, asOf, after));
      const end = rows.find((row) => row.end !== null)?.end ?? null;
      const isLast = end === null || end.createdAtMs < (createdAtRange(filter).fromMs ?? FIRST_MS);
      const totals = rows.filter((row) => row.end === null).map(({ total }) => total);
      return { totals, next: isLast ? null : end };
    },
    createExport: async (created, { expiredMs, perAccount }) => {
      const { account, id, startedAtMs, attempt } = created;
      const [stored = 0] = await background.read(count, [account, expiredMs]);
      if (stored >= perAccount) return false;
      await write(account, {
        statement: CREATE,
        values: [account, id, startedAtMs, attempt, textOfExport(created)],
      });
      await removeOwn(account, expiredMs);
      return true;
    },
    removeExpiredExports: async (expiredMs, server = '') => {
      if (server === '') return removeAll(expiredMs);
      const accounts = await readWorker(background, server, ['exports'], expiredAccountsSql(expiredMs));
      for (const [account] of accounts) await removeOwn(String(account), expiredMs);
    },
    findExport: async (account, id) => {
      const [record] = await primary.read(find, [account, id]);
      return record === undefined ? undefined : exportOfText(record);
    },
    replaceExport: async (replaced, attempt) => {
      const { account, id } = replaced;
      const values = [account, id, replaced.attempt, textOfExport(replaced), attempt];
      return (await write(account, { statement: REPLACE, values })).length > 0;
    },
  };
}

function valuesOfSum(
  account: string,
  filter: ListFilter,
  leading: TextFilter,
  asOf: number,
  after: Position | null,
): (string | number)[] {
  const { fromMs, beforeMs } = createdAtRange(filter);
  // No reference is empty: the position is before all transactions of its time.
  const begin = after ?? { createdAtMs: beforeMs ?? LAST_MS, reference: '' };
  return [
    account,
    filter[leading] ?? '',
    asOf,
    fromMs ?? FIRST_MS,
    begin.createdAtMs,
    begin.reference,
    SUMMED_ROWS,
    ...otherFilters(leading).map(({ name }) => filter[name] ?? ''),
  ];
}
