import {
  type BackgroundConnections,
  type Connections,
  type RowReader,
  readStatement,
  type TxStep,
} from '../../../db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../../db/postgres/read-worker.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount, setAccount } from '../../../db/postgres/topology.ts';
import { listReader } from '../../list/postgres/read-list.ts';
import { readTransactionRow } from '../../read-transaction-row.ts';
import { EXPORT_LIFETIME_MS, type ExportStore, type NumberedTransaction } from '../export.ts';
import { exportOfText, textOfExport } from '../export-text.ts';

interface ExportStoreOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

function readNumbered(row: RowReader): NumberedTransaction {
  return {
    transaction: readTransactionRow(row),
    pendingSequence: row.integerOrNull(),
    pendingRecordedAtMs: row.integerOrNull(),
    finalSequence: row.integerOrNull(),
    finalRecordedAtMs: row.integerOrNull(),
  };
}

/** Names the time before which exports are removed to the policies of the table. */
const SET_EXPIRED = readStatement(`SELECT set_config('transactions.exports_before', $1, true)`, (row) =>
  row.text(),
);

const CREATE = readStatement(
  'INSERT INTO exports (account, id, started_at_ms, record) VALUES ($1, $2, $3, $4)',
  () => undefined,
);
const REPLACE = readStatement(
  'UPDATE exports SET record = $3 WHERE account = $1 AND id = $2 RETURNING id',
  (row) => row.text(),
);
const REMOVE_OWN = readStatement(
  'DELETE FROM exports WHERE account = $1 AND started_at_ms NOT BETWEEN $2 AND $3',
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
  `SELECT count(*) FILTER (WHERE started_at_ms BETWEEN $2 AND $3) AS count FROM exports WHERE account = ${account}`;

export function exportStore({ primary, background, topology }: ExportStoreOptions): ExportStore {
  const list = listReader({
    sql: { topology, withNumbers: true },
    readRow: readNumbered,
    send: (_, statement, values) => background.read(statement, values),
  });
  const count = readStatement(selectOfAccount(topology, 'count', countSql), (row) => row.integer());
  const find = readStatement(selectOfAccount(topology, 'record', findSql), (row) => row.text());

  const write = async <Row>(account: string, step: TxStep<Row>): Promise<Row[]> => {
    if (topology === 'cluster') return (await background.transact(account, [step]))[0];
    return (await background.transact(account, [setAccount(account), step]))[1];
  };

  const removeOwn = (account: string, expiredMs: number, latestMs: number) =>
    write(account, { statement: REMOVE_OWN, values: [account, expiredMs, latestMs] });

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
    createExport: async (created, { expiredMs, perAccount }) => {
      const { account, id, startedAtMs } = created;
      const latestMs = startedAtMs + EXPORT_LIFETIME_MS;
      const [stored = 0] = await background.read(count, [account, expiredMs, latestMs]);
      if (stored >= perAccount) return false;
      await write(account, {
        statement: CREATE,
        values: [account, id, startedAtMs, textOfExport(created)],
      });
      await removeOwn(account, expiredMs, latestMs);
      return true;
    },
    removeExpiredExports: async (expiredMs, server = '') => {
      if (server === '') return removeAll(expiredMs);
      const accounts = await readWorker(background, server, {
        tables: ['exports'],
        select: expiredAccountsSql(expiredMs),
      });
      for (const [account] of accounts) await removeOwn(String(account), expiredMs, Number.MAX_SAFE_INTEGER);
    },
    findExport: async (account, id) => {
      const [record] = await primary.read(find, [account, id]);
      return record === undefined ? undefined : exportOfText(record);
    },
    replaceExport: async (replaced) => {
      const { account, id } = replaced;
      const values = [account, id, textOfExport(replaced)];
      return (await write(account, { statement: REPLACE, values })).length > 0;
    },
  };
}
