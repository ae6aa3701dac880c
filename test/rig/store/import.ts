import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { compareStaged, type ImportConflict } from '../../../src/operate/import/compare-staged.ts';
import { recordStaged } from '../../../src/operate/import/record-staged.ts';
import { SqliteStaging } from '../../../src/operate/import/sqlite/import-staging.ts';
import type { Store } from '../../../src/store/store.ts';

export async function beginImport(store: Store, transactions: readonly AccountTransaction[]) {
  const staging = new SqliteStaging();
  const lines = transactions.map((one, index) => ({ ...one, line: index + 1 }));
  const half = Math.ceil(lines.length / 2);
  staging.stage(lines.slice(0, half));
  staging.stage(lines.slice(half));
  staging.finish();
  const connection = await store.openImport();
  const byLine = (conflicts: ImportConflict[]) => conflicts.sort((left, right) => left.line - right.line);
  return {
    staging,
    connection,
    check: async () => {
      const conflicts: ImportConflict[] = [];
      const onConflict = async (conflict: ImportConflict) => void conflicts.push(conflict);
      const counts = await compareStaged(staging, connection, { onConflict, onProgress: () => {} });
      return { counts, conflicts: byLine(conflicts) };
    },
    record: async (isStopped = () => false) => {
      const conflicts: ImportConflict[] = [];
      const refusedLines = new Map<number, unknown>();
      const recorded = await recordStaged(staging.inRecordingOrder(), connection, {
        isStopped,
        onConflict: async (conflict) => void conflicts.push(conflict),
        onRefused: async (line, error) => void refusedLines.set(line, error),
        onProgress: () => {},
      });
      return { ...recorded, conflicts: byLine(conflicts), refusedLines };
    },
    close: async () => {
      staging.close();
      await connection.close();
    },
  };
}

export async function importInto(store: Store, transactions: readonly AccountTransaction[]) {
  const into = await beginImport(store, transactions);
  try {
    return { checked: await into.check(), recorded: await into.record() };
  } finally {
    await into.close();
  }
}
