import { once } from 'node:events';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { compareWithRecorded } from '../../core/record-transaction.ts';
import type { ImportConflict, ImportCounts, ImportedTransaction, ImportSession } from '../../core/store.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import { arrayQuery, explainError } from './database.ts';

/** 'impt' in ASCII: the lock that only one merging import holds. */
const LOCK = 0x696d7074;
const CONFLICTS_AT_ONCE = 1000;

const COLUMNS = `account, ${TRANSACTION_COLUMNS}`;

/*
 * Lines of one reference follow each other by createdAt, then by line: the first is recorded where nothing is
 * yet, the first that advances a pending one is recorded too, and every other one is compared with what is
 * recorded when its turn comes.
 */
const POSITIONED = `(SELECT *, row_number() OVER (PARTITION BY account, reference ORDER BY created_at_ms, line) AS position FROM staged)`;

const SAME_FACT = `(t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms)
  IS NOT DISTINCT FROM (s.merchant_reference, s.amount_minor, s.currency_code, s.created_at_ms)`;

const BEGIN = `BEGIN;
SET LOCAL work_mem = '64MB';
CREATE TEMP TABLE staged (
  line bigint, created_at_ms bigint, amount_minor bigint, paid_at_ms bigint, account text COLLATE "C",
  reference text COLLATE "C", status text COLLATE "C", currency_code text COLLATE "C", merchant_reference text COLLATE "C"
) ON COMMIT DROP`;

const COPY = `COPY staged (line, ${COLUMNS}) FROM STDIN`;

/*
 * Both count what they wrote by what they return: Citus reports the rows that it read.
 */
const RECORD_NEW = `WITH recorded AS (INSERT INTO transactions (${COLUMNS})
SELECT ${COLUMNS} FROM ${POSITIONED} AS s WHERE position = 1
ORDER BY account, reference
ON CONFLICT (account, reference) DO NOTHING RETURNING 1) SELECT count(*) FROM recorded`;

const FIND_ADVANCES = `CREATE TEMP TABLE advances ON COMMIT DROP AS
SELECT DISTINCT ON (s.account, s.reference) s.account, s.reference, s.status, s.paid_at_ms, s.position
FROM ${POSITIONED} AS s JOIN transactions AS t ON t.account = s.account AND t.reference = s.reference
WHERE t.status = 'pending' AND s.status <> 'pending' AND ${SAME_FACT}
ORDER BY s.account, s.reference, s.position`;

const RECORD_ADVANCES = `WITH changed AS (UPDATE transactions AS t SET status = s.status, paid_at_ms = s.paid_at_ms
FROM advances AS s WHERE t.account = s.account AND t.reference = s.reference AND t.status = 'pending'
RETURNING 1) SELECT count(*) FROM changed`;

/** Each staged row that is not the same as what was recorded when its turn came, with that. */
const DECLARE_CONFLICTS = `DECLARE conflicts NO SCROLL CURSOR FOR
SELECT line,
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms,
  reference, t_merchant_reference, t_status, t_amount_minor, t_currency_code, t_paid_at_ms, t_created_at_ms
FROM (
  SELECT s.*, t.merchant_reference AS t_merchant_reference, t.amount_minor AS t_amount_minor,
    t.currency_code AS t_currency_code, t.created_at_ms AS t_created_at_ms, ${SAME_FACT} AS is_same_fact,
    CASE WHEN a.position IS NULL THEN t.status ELSE 'pending' END AS t_status,
    CASE WHEN a.position IS NULL THEN t.paid_at_ms END AS t_paid_at_ms
  FROM ${POSITIONED} AS s
  JOIN transactions AS t ON t.account = s.account AND t.reference = s.reference
  LEFT JOIN advances AS a ON a.account = s.account AND a.reference = s.reference AND s.position < a.position
) AS compared
WHERE NOT is_same_fact OR (t_status, t_paid_at_ms) IS DISTINCT FROM (status, paid_at_ms)
ORDER BY account, created_at_ms, reference, line`;

type ConflictRow = [line: number, ...given: TransactionRow, ...recorded: TransactionRow];

/**
 * An import in one transaction of the database, on a connection of its own: what is staged lies in a
 * temporary table, so a killed import leaves nothing, and nothing of the recorded is touched before the merge.
 */
export async function beginImport(client: pg.Client, end: () => Promise<void>): Promise<ImportSession> {
  await client.query(BEGIN);
  const copying = client.query(copyStreams.from(COPY));
  const copied = once(copying, 'finish');
  // Told to whoever stages or merges next: nothing may be written to a copy that failed.
  let failure: unknown;
  copied.catch((error) => {
    failure = explainError(error);
  });

  return {
    stage: async (transactions) => {
      if (failure !== undefined) throw failure;
      if (transactions.length === 0) return;
      const lines = Buffer.from(transactions.map(copyLine).join(''));
      if (!copying.write(lines)) await Promise.race([once(copying, 'drain'), copied]).catch(fail);
    },

    merge: async ({ onConflict, onProgress, commit }) => {
      // A listener's own error is no failure of the database.
      let listenerFailed = false;
      const failListener = (error: unknown): never => {
        listenerFailed = true;
        throw error;
      };
      const tell = (conflict: ImportConflict) => onConflict(conflict).catch(failListener);
      try {
        if (failure !== undefined) throw failure;
        copying.end();
        await copied;
        const counts = await mergeStaged(client, copying.rowCount, tell, onProgress);
        const outcome = await Promise.try(commit, counts).catch(failListener);
        await client.query(outcome ? 'COMMIT' : 'ROLLBACK');
        return counts;
      } catch (error) {
        throw listenerFailed ? error : explainError(error);
      } finally {
        await end();
      }
    },
  };
}

function fail(error: unknown): never {
  throw explainError(error);
}

const NEEDS_ESCAPE = /[\\\t\n\r]/;

/** A line of COPY's text format. Only merchantReference can hold what must be escaped. */
function copyLine(row: ImportedTransaction): string {
  const { merchantReference } = row;
  const merchant =
    merchantReference === null
      ? '\\N'
      : NEEDS_ESCAPE.test(merchantReference)
        ? merchantReference.replace(
            /[\\\t\n\r]/g,
            (character) => `\\x${character.charCodeAt(0).toString(16)}`,
          )
        : merchantReference;
  return `${row.line}\t${row.account}\t${row.reference}\t${merchant}\t${row.status}\t${row.amountMinor}\t${row.currencyCode}\t${row.paidAtMs ?? '\\N'}\t${row.createdAtMs}\n`;
}

async function mergeStaged(
  client: pg.Client,
  staged: number,
  onConflict: (conflict: ImportConflict) => Promise<void>,
  onProgress: (mergedRows: number) => void,
): Promise<ImportCounts> {
  // Two imports at once wait for each other here, and readers for neither.
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await client.query('ANALYZE staged');
  const recorded = await countOf(client, RECORD_NEW);
  onProgress(recorded);
  if (recorded === staged) return { recorded, changed: 0, unchanged: 0, conflicts: 0 };

  await client.query(FIND_ADVANCES);
  await client.query('ANALYZE advances');
  const changed = await countOf(client, RECORD_ADVANCES);
  onProgress(recorded + changed);
  const conflicts = recorded + changed === staged ? 0 : await tellConflicts(client, onConflict);
  return { recorded, changed, unchanged: staged - recorded - changed - conflicts, conflicts };
}

async function countOf(client: pg.Client, sql: string): Promise<number> {
  const { rows } = await client.query<[number]>(arrayQuery(sql));
  return Number(rows[0]?.[0]);
}

async function tellConflicts(
  client: pg.Client,
  onConflict: (conflict: ImportConflict) => Promise<void>,
): Promise<number> {
  let conflicts = 0;
  await client.query(DECLARE_CONFLICTS);
  for (;;) {
    const fetched = await client.query<ConflictRow>(arrayQuery(`FETCH ${CONFLICTS_AT_ONCE} FROM conflicts`));
    if (fetched.rows.length === 0) return conflicts;
    for (const [line, ...sides] of fetched.rows) {
      const given = transactionOf(sides.slice(0, 7) as TransactionRow);
      const recorded = transactionOf(sides.slice(7) as TransactionRow);
      const comparison = compareWithRecorded(recorded, given);
      if (comparison.outcome !== 'conflict') throw new Error('SQL and the rule differ on what a conflict is');
      conflicts++;
      await onConflict({ line, differences: comparison.differences });
    }
  }
}
