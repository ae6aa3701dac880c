import type { ExportStore, NumberedTransaction } from '../../core/exports/export.ts';
import { createdAtRange, type ListFilter } from '../../core/list/list-filter.ts';
import { PENDING } from '../../core/status.ts';
import type { Total } from '../../core/totals/totals.ts';
import { exportOfText, textOfExport } from '../export-text.ts';
import {
  type Background,
  type Connections,
  type RowReader,
  readStatement,
  type TxStep,
} from './driver/index.ts';
import { listReader } from './read-list.ts';
import { readTransaction } from './read-transaction.ts';
import { selectOfAccount, setAccount } from './row-level-security.ts';

export interface ExportStoreOptions {
  primary: Connections;
  background: Background;
  rowLevelSecurity: boolean;
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

/**
 * The totals as of $3 of the account $1 with the merchantReference $2, created from $4 and before $5. The currency $6 and the status
 * $7 can be empty texts, for all. The range and its order are those of a list: see list-sql.ts.
 */
export const sumListedSql = (rowLevelSecurity: boolean) =>
  selectOfAccount(
    rowLevelSecurity,
    'currency_code, status, count, amount',
    (account) => `SELECT currency_code, status, count(*) AS count, sum(amount_minor)::text AS amount FROM (
SELECT currency_code, amount_minor, CASE WHEN final_sequence <= $3 THEN status ELSE '${PENDING}' END AS status
FROM transactions
WHERE account = ${account} AND merchant_reference >= $2 AND merchant_reference <= $2 AND created_at_ms >= $4 AND created_at_ms < $5
  AND ($6::text = '' OR currency_code = $6) AND (pending_sequence <= $3 OR final_sequence <= $3)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
) AS listed
WHERE $7::text = '' OR status = $7
GROUP BY currency_code, status`,
  );

function readTotal(row: RowReader): Total {
  return {
    day: null,
    currencyCode: row.word(),
    status: row.word(),
    count: row.integer(),
    amountMinor: BigInt(row.text()),
  };
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
const removeSql = (before: string) => `DELETE FROM exports WHERE started_at_ms < ${before}`;
const REMOVE = readStatement(removeSql('$1'), () => undefined);

const findSql = (account: string) => `SELECT record FROM exports WHERE account = ${account} AND id = $2`;

export function exportStore({ primary, background, rowLevelSecurity }: ExportStoreOptions): ExportStore {
  const list = listReader({
    sql: { rowLevelSecurity, withNumbers: true },
    readRow: readNumbered,
    send: (_, statement, values) => background.read(statement, values),
  });
  const sum = readStatement(sumListedSql(rowLevelSecurity), readTotal);
  const find = readStatement(selectOfAccount(rowLevelSecurity, 'record', findSql), (row) => row.text());

  const write = async <Row>(account: string, step: TxStep<Row>): Promise<Row[]> => {
    if (!rowLevelSecurity) return (await background.transact(account, [step]))[0];
    return (await background.transact(account, [setAccount(account), step]))[1];
  };

  const removeExpired = async (account: string, expiredMs: number): Promise<void> => {
    const values = [expiredMs];
    if (rowLevelSecurity)
      await background.transact(account, [
        { statement: SET_EXPIRED, values },
        { statement: REMOVE, values },
      ]);
    // Citus has no plan with parameters of a statement that reads every shard.
    else await background.script(account, removeSql(String(expiredMs)));
  };

  return {
    listNumbered: list,
    sumListed: (account, filter, asOf) => background.read(sum, valuesOfSum(account, filter, asOf)),
    createExport: async (created, expiredMs) => {
      const { account, id, startedAtMs, attempt } = created;
      await write(account, {
        statement: CREATE,
        values: [account, id, startedAtMs, attempt, textOfExport(created)],
      });
      await removeExpired(account, expiredMs);
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

function valuesOfSum(account: string, filter: ListFilter, asOf: number): (string | number)[] {
  const { merchantReference, currency, status } = filter;
  if (merchantReference === null) throw new Error('transactions are summed by their merchantReference');
  const { fromMs, beforeMs } = createdAtRange(filter);
  return [
    account,
    merchantReference,
    asOf,
    fromMs ?? FIRST_MS,
    beforeMs ?? LAST_MS,
    currency ?? '',
    status ?? '',
  ];
}
