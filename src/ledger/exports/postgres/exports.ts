import pg from 'pg';
import {
  type BackgroundConnections,
  type RowReader,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../../db/postgres/read-worker.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { listReader } from '../../list/postgres/read-list.ts';
import { readTransactionRow } from '../../transaction.ts';
import type { ExportStore, NumberedTransaction } from '../export.ts';

interface ExportStoreOptions {
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

const removeSql = (before: string) => `DELETE FROM exports WHERE started_at_ms < ${before}`;
const REMOVE = readStatement(removeSql('$1'), () => undefined);

/** The turns of removing exports among the background work: no account has this name. */
const REMOVING = '*exports';

/** The accounts of one shard with expired exports, as `readWorker` needs it. */
const expiredAccountsSql = (expiredMs: number) =>
  `SELECT json_build_array(account) FROM ${shardOf(0)} WHERE started_at_ms < ${expiredMs} GROUP BY account`;

export function exportStore({
  background,
  topology,
}: ExportStoreOptions): Pick<ExportStore, 'listNumbered' | 'removeExpiredExports'> {
  const list = listReader({
    sql: { topology, withNumbers: true },
    readRow: readNumbered,
    send: (_, statement, values) => background.read(statement, values),
  });

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
    removeExpiredExports: async (expiredMs, server = '') => {
      if (server === '') return removeAll(expiredMs);
      const accounts = await readWorker(background, server, {
        tables: ['exports'],
        select: expiredAccountsSql(expiredMs),
      });
      for (const [account] of accounts) {
        const isOwn = `account = ${pg.escapeLiteral(String(account))}`;
        await background.script(String(account), `${removeSql(String(expiredMs))} AND ${isOwn}`);
      }
    },
  };
}
