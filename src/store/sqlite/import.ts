import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ImportConflict, ImportCounts, ImportSession } from '../../core/store.ts';
import { asking } from './database.ts';
import { rowRecorder, STORED_COLUMNS, type StoredRow } from './record-transactions.ts';

/** Waits out another import of the same file. */
const IMPORT_BUSY_TIMEOUT_MS = 60_000;
/** Larger than the default, because the merge touches every index. */
const IMPORT_CACHE_KIB = 16_384;
const ROWS_BETWEEN_TURNS = 10_000;

type StagedRow = [...StoredRow, line: number];

/**
 * An import by way of a temporary table: it lives in a file of its own that is gone with the connection,
 * so a killed import leaves nothing, and the write lock is held only while rows are merged.
 */
export function beginImport(db: DatabaseSync): ImportSession {
  db.exec(`PRAGMA busy_timeout = ${IMPORT_BUSY_TIMEOUT_MS}; PRAGMA cache_size = -${IMPORT_CACHE_KIB}; PRAGMA temp_store = FILE;
    DROP TABLE IF EXISTS temp.staged;
    CREATE TEMP TABLE staged (
      account TEXT, created_at_ms INTEGER, reference TEXT, merchant_reference TEXT, status TEXT,
      amount_minor INTEGER, currency_code TEXT, paid_at_ms INTEGER, line INTEGER
    ) STRICT`);
  const stage = db.prepare(`INSERT INTO staged (${STORED_COLUMNS}, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  return {
    stage: async (transactions) => {
      asking(() => {
        db.exec('BEGIN');
        for (const row of transactions) {
          stage.run(
            row.account,
            row.createdAtMs,
            row.reference,
            row.merchantReference,
            row.status,
            row.amountMinor,
            row.currencyCode,
            row.paidAtMs,
            row.line,
          );
        }
        db.exec('COMMIT');
      });
    },

    merge: async ({ onConflict, onProgress, commit }) => {
      const counts: ImportCounts = { recorded: 0, changed: 0, unchanged: 0, conflicts: 0 };
      // In the order of the clustered table, so that its pages are filled one after the other.
      const staged = db.prepare(
        `SELECT ${STORED_COLUMNS}, line FROM staged ORDER BY account, created_at_ms, reference, line`,
      );
      staged.setReturnArrays(true);
      const mergeRow = rowMerger(db, counts);
      asking(() => db.exec('BEGIN IMMEDIATE'));
      try {
        let rows = 0;
        for (const row of staged.iterate() as Iterable<unknown> as Iterable<StagedRow>) {
          const conflict = asking(() => mergeRow(row));
          if (conflict !== undefined) await onConflict(conflict);
          if (++rows % ROWS_BETWEEN_TURNS === 0) {
            onProgress(rows);
            // Lets the progress be written and a signal be heard.
            await nextTurn();
          }
        }
        asking(() => db.exec(commit(counts) ? 'COMMIT' : 'ROLLBACK'));
        return counts;
      } finally {
        if (db.isTransaction) db.exec('ROLLBACK');
      }
    },
  };
}

/** Records one staged row after the other and counts the outcomes; returns the conflict of a row that has one. */
function rowMerger(db: DatabaseSync, counts: ImportCounts): (row: StagedRow) => ImportConflict | undefined {
  const recordRow = rowRecorder(db);
  return (row) => {
    const recorded = recordRow(row);
    switch (recorded.outcome) {
      case 'recorded':
        counts.recorded++;
        return undefined;
      case 'unchanged':
        counts.unchanged++;
        return undefined;
      case 'changed':
        counts.changed++;
        return undefined;
      case 'conflict':
        counts.conflicts++;
        return { line: row[8], differences: recorded.differences };
    }
  };
}
