import type { BackgroundConnections } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import type { Row } from '../../../db/statement.ts';
import { listReader } from '../../list/postgres/read-list.ts';
import { readTransactionRow } from '../../transaction.ts';
import { type ExportStore, NUMBERED_COLUMNS, type NumberedTransaction } from '../export.ts';

interface ListerOptions {
  background: BackgroundConnections;
  topology: Topology;
}

function readNumbered(row: Row): NumberedTransaction {
  return {
    transaction: readTransactionRow(row),
    pendingSequence: row.integerOrNull(),
    pendingRecordedAtMs: row.integerOrNull(),
    finalSequence: row.integerOrNull(),
    finalRecordedAtMs: row.integerOrNull(),
  };
}

export const numberedLister = ({
  background,
  topology,
}: ListerOptions): Pick<ExportStore, 'listNumbered'> => ({
  listNumbered: listReader({
    sql: { topology, selected: NUMBERED_COLUMNS },
    readRow: readNumbered,
    send: (_, statement, values) => background.read(statement, values),
  }),
});
