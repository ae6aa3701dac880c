import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ChangeNumberer } from '../../core/changes/change.ts';
import { arrayText, readStatement, statement } from './driver/index.ts';
import { ON_CITUS } from './record-on-citus.ts';
import {
  headOf,
  lockHeads,
  lockTimeout,
  makeAccounts,
  ON_POSTGRES,
  type Sender,
  STORE_HEADS,
} from './record-statements.ts';

/** Others wait at most about 100 ms for the locks of the accounts. */
const BATCH_SIZE = 1000;
const RETRY_AFTER_MS = 20;

const UNNUMBERED = `final_sequence IS NULL AND (status <> 'pending' OR pending_sequence IS NULL)`;

/** The accounts of the next unnumbered transactions. A role that cannot record sees none. */
const FIND_ACCOUNTS = statement(`SELECT account FROM (
  SELECT account FROM transactions WHERE ${UNNUMBERED} ORDER BY account, created_at_ms, reference LIMIT $1
) AS unnumbered GROUP BY account`);

/** The account of one of them. Citus has no plan with parameters of a statement that reads every shard. */
const FIND_ACCOUNT_ON_CITUS = statement(`SELECT account FROM transactions WHERE ${UNNUMBERED} LIMIT 1`);

/**
 * Numbers transactions of accounts whose heads are locked. A row that is pending gets the number of the change by which
 * it became pending; any other row that of its final status, and earlier changes of it stay unnumbered. Rows
 * are locked before they are numbered, because a version without numbers can change them meanwhile.
 */
const NUMBER = readStatement(
  `WITH locked AS MATERIALIZED (
  SELECT t.account, t.reference, t.created_at_ms, t.status
  FROM ${lockTimeout('$4')} CROSS JOIN transactions AS t
  WHERE t.account = ANY($1::text[]) AND ${UNNUMBERED} ORDER BY t.account, t.created_at_ms, t.reference LIMIT $2 FOR NO KEY UPDATE OF t
), numbered AS MATERIALIZED (
  SELECT locked.account, locked.reference, locked.status,
    head.head_sequence + row_number() OVER (PARTITION BY locked.account ORDER BY locked.created_at_ms, locked.reference) AS sequence
  FROM locked CROSS JOIN LATERAL ${headOf('locked')}
), heads AS (${STORE_HEADS}
)
UPDATE transactions AS t SET
  pending_sequence = CASE WHEN numbered.status = 'pending' THEN numbered.sequence ELSE t.pending_sequence END,
  pending_recorded_at_ms = CASE WHEN numbered.status = 'pending' THEN $3::bigint ELSE t.pending_recorded_at_ms END,
  final_sequence = CASE WHEN numbered.status <> 'pending' THEN numbered.sequence END,
  final_recorded_at_ms = CASE WHEN numbered.status <> 'pending' THEN $3 END
FROM numbered WHERE t.account = numbered.account AND t.reference = numbered.reference RETURNING t.reference`,
  (row) => row.text(),
);

/** The same for one account of a cluster: each statement names the account as a value, by which Citus finds the shard. */
function numberScript(name: string, recordedAtMs: number, timeoutMs: number): string {
  const account = pg.escapeLiteral(name);
  const next = `FROM transactions WHERE account = ${account} AND ${UNNUMBERED} ORDER BY created_at_ms, reference LIMIT ${BATCH_SIZE}`;
  const last = (sequence: string) =>
    `(SELECT max(${sequence}) AS sequence FROM transactions WHERE account = ${account} AND ${sequence} IS NOT NULL)`;
  return `INSERT INTO accounts (account, head_sequence) VALUES (${account}, 0) ON CONFLICT (account) DO NOTHING;
SELECT head_sequence FROM accounts WHERE account = ${account} FOR NO KEY UPDATE;
SET LOCAL statement_timeout = ${timeoutMs};
SELECT reference ${next} FOR NO KEY UPDATE;
UPDATE transactions AS t SET
  pending_sequence = CASE WHEN t.status = 'pending' THEN accounts.head_sequence + numbered.nth ELSE t.pending_sequence END,
  pending_recorded_at_ms = CASE WHEN t.status = 'pending' THEN ${recordedAtMs}::bigint ELSE t.pending_recorded_at_ms END,
  final_sequence = CASE WHEN t.status <> 'pending' THEN accounts.head_sequence + numbered.nth END,
  final_recorded_at_ms = CASE WHEN t.status <> 'pending' THEN ${recordedAtMs}::bigint END
FROM accounts, (
  SELECT reference, row_number() OVER (ORDER BY created_at_ms, reference) AS nth FROM (SELECT reference, created_at_ms ${next}) AS next
) AS numbered
WHERE accounts.account = ${account} AND t.account = ${account} AND t.reference = numbered.reference RETURNING t.reference;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence, head_sequence)
FROM ${last('pending_sequence')} AS became_pending, ${last('final_sequence')} AS became_final
WHERE accounts.account = ${account}`;
}

export interface NumbererOptions {
  connections: Sender;
  /** Off on Citus, where a statement has one account. */
  rowLevelSecurity: boolean;
  /** How long the heads of accounts, and rows, are waited for. */
  waitMs: number;
  /** How long held accounts are tried again. */
  timeoutMs: number;
  now: () => number;
}

export function transactionNumberer({
  connections,
  rowLevelSecurity,
  waitMs,
  timeoutMs,
  now,
}: NumbererOptions): ChangeNumberer {
  const numberOnPostgres = async (accounts: readonly string[]): Promise<number> => {
    await makeAccounts(connections, accounts, waitMs);
    const [, numbered] = await connections.transact([
      lockHeads(accounts, waitMs),
      { statement: NUMBER, values: [arrayText(accounts), BATCH_SIZE, now(), waitMs] },
    ]);
    return numbered.length;
  };
  const numberOnCitus = async ([account]: readonly string[]): Promise<number> => {
    const results = await connections.script(numberScript(account as string, now(), timeoutMs));
    return results[4]?.length ?? 0;
  };
  const number = rowLevelSecurity ? numberOnPostgres : numberOnCitus;
  const { isHeld } = rowLevelSecurity ? ON_POSTGRES : ON_CITUS;
  const findAccounts = () =>
    rowLevelSecurity
      ? connections.query<[string]>(FIND_ACCOUNTS, [BATCH_SIZE])
      : connections.query<[string]>(FIND_ACCOUNT_ON_CITUS, []);

  /** Numbers accounts together or, if some of them are held, the others one by one. Throws if all are held. */
  const numberFree = async (accounts: readonly string[]): Promise<number> => {
    try {
      return await number(accounts);
    } catch (error) {
      if (accounts.length === 1 || !isHeld(error)) throw error;
      const alone = await Promise.allSettled(accounts.map((account) => number([account])));
      const refused = alone.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
      const other = refused.find((reason) => !isHeld(reason));
      if (other !== undefined || refused.length === accounts.length) throw other ?? error;
      return alone.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
    }
  };

  return {
    numberTransactions: async () => {
      const giveUpAtMs = performance.now() + timeoutMs;
      for (;;) {
        const rows = await findAccounts();
        if (rows.length === 0) return 0;
        try {
          const numbered = await numberFree(rows.map(([account]) => account));
          // Otherwise another instance numbered them meanwhile.
          if (numbered > 0) return numbered;
        } catch (error) {
          if (!isHeld(error) || performance.now() > giveUpAtMs) throw error;
          await delay(RETRY_AFTER_MS);
        }
      }
    },
  };
}
