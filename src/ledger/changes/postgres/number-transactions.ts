import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isRowError, isSlowStatement, readStatement, statement } from '../../../db/postgres/driver/index.ts';
import { batchSizeAfter, FIRST_BATCH_SIZE } from '../../../values/batch-size.ts';
import { ON_CITUS } from '../../record/postgres/record-on-citus.ts';
import {
  headOf,
  lockHeads,
  lockTimeout,
  makeHeads,
  ON_POSTGRES,
  type Sender,
  STORE_HEADS,
} from '../../record/postgres/record-statements.ts';
import { UNNUMBERED } from '../../transaction-columns.ts';
import type { ChangeNumberer } from '../change.ts';

/** How long a step holds the lock of an account: recordings of it wait meanwhile. */
const TARGET_MS = 40;
const RETRY_AFTER_MS = 20;

/** A place in the order in which transactions are numbered. */
interface Position {
  readonly account: string;
  readonly createdAtMs: number;
  readonly reference: string;
}

const START: Position = { account: '', createdAtMs: Number.MIN_SAFE_INTEGER, reference: '' };
const endOf = (account: string): Position => ({
  account,
  createdAtMs: Number.MAX_SAFE_INTEGER,
  reference: '',
});

/** The next unnumbered transaction after a position. A role that cannot record sees none. */
const findNext = (account: string, createdAtMs: string, reference: string) =>
  `SELECT account, created_at_ms, reference FROM transactions
WHERE ${UNNUMBERED} AND (account, created_at_ms, reference) > (${account}, ${createdAtMs}, ${reference})
ORDER BY account, created_at_ms, reference LIMIT 1`;
const FIND_NEXT = statement(findNext('$1', '$2', '$3'));

/**
 * Numbers transactions of one account, whose head is locked, after a position: index entries before it, which may be dead, are not read
 * again. A row that is pending gets the number of the change by which it became pending; any other row that of its final status, and
 * earlier changes of it stay unnumbered. Rows are locked before they are numbered, because a version without numbers can
 * change them meanwhile. Returns how many there were, the last one, and the time without the wait for the head.
 */
const NUMBER = readStatement(
  `WITH locked AS MATERIALIZED (
  SELECT t.account, t.reference, t.created_at_ms, t.status
  FROM ${lockTimeout('$4')} CROSS JOIN transactions AS t
  WHERE t.account = $1 AND (t.created_at_ms, t.reference) > ($5, $6) AND ${UNNUMBERED}
  ORDER BY t.created_at_ms, t.reference LIMIT $2 FOR NO KEY UPDATE OF t
), numbered AS MATERIALIZED (
  SELECT locked.account, locked.reference, locked.status,
    head.head_sequence + row_number() OVER (ORDER BY locked.created_at_ms, locked.reference) AS sequence
  FROM locked CROSS JOIN LATERAL ${headOf('locked')}
), heads AS (${STORE_HEADS}
), updated AS (
  UPDATE transactions AS t SET
    pending_sequence = CASE WHEN numbered.status = 'pending' THEN numbered.sequence ELSE t.pending_sequence END,
    pending_recorded_at_ms = CASE WHEN numbered.status = 'pending' THEN $3::bigint ELSE t.pending_recorded_at_ms END,
    final_sequence = CASE WHEN numbered.status <> 'pending' THEN numbered.sequence END,
    final_recorded_at_ms = CASE WHEN numbered.status <> 'pending' THEN $3 END
  FROM numbered WHERE t.account = numbered.account AND t.reference = numbered.reference RETURNING 1
), written AS MATERIALIZED (SELECT count(*) AS count FROM updated)
SELECT CASE WHEN written.count = (SELECT count(*) FROM locked) THEN written.count
    ELSE concat('the database left out a row: it numbered ', written.count)::bigint END,
  (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::bigint, last.created_at_ms, last.reference
FROM written CROSS JOIN (SELECT created_at_ms, reference FROM locked ORDER BY created_at_ms DESC, reference DESC LIMIT 1) AS last`,
  (row) => ({
    numbered: row.integer(),
    tookMs: row.integer(),
    createdAtMs: row.integer(),
    reference: row.text(),
  }),
);

/** The same for one account of a cluster: each statement names the account as a value, by which Citus finds the shard. */
function numberScript(after: Position, limit: number, recordedAtMs: number, timeoutMs: number): string {
  const account = pg.escapeLiteral(after.account);
  const next = `FROM transactions WHERE account = ${account} AND ${UNNUMBERED}
  AND (created_at_ms, reference) > (${after.createdAtMs}, ${pg.escapeLiteral(after.reference)}) ORDER BY created_at_ms, reference LIMIT ${limit}`;
  const last = (sequence: string) =>
    `(SELECT max(${sequence}) AS sequence FROM transactions WHERE account = ${account} AND ${sequence} IS NOT NULL)`;
  return `INSERT INTO accounts (account, head_sequence) VALUES (${account}, 0) ON CONFLICT (account) DO NOTHING;
SELECT head_sequence FROM accounts WHERE account = ${account} FOR NO KEY UPDATE;
SET LOCAL statement_timeout = ${timeoutMs};
SELECT created_at_ms, reference ${next} FOR NO KEY UPDATE;
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

/** What a step numbered, and the last transaction that it read. */
interface Step {
  numbered: number;
  /** How long others waited for it. */
  tookMs: number;
  last: Position | undefined;
}

interface NumberingSql {
  findNext(after: Position): Promise<Position | undefined>;
  /** Numbers at most `limit` transactions of the account of a position. */
  number(after: Position, limit: number): Promise<Step>;
  isHeld(error: unknown): boolean;
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

type FoundRow = [account: string, createdAtMs: number, reference: string];

const positionOf = (row: FoundRow | undefined): Position | undefined =>
  row && { account: row[0], createdAtMs: row[1], reference: row[2] };

const onPostgres = ({ connections, waitMs, now }: NumbererOptions): NumberingSql => ({
  isHeld: ON_POSTGRES.isHeld,
  findNext: async ({ account, createdAtMs, reference }) =>
    positionOf((await connections.query<FoundRow>(FIND_NEXT, [account, createdAtMs, reference]))[0]),
  number: async ({ account, createdAtMs, reference }, limit) => {
    const [, , [step]] = await connections.transact([
      makeHeads([account], waitMs),
      lockHeads([account], waitMs),
      { statement: NUMBER, values: [account, limit, now(), waitMs, createdAtMs, reference] },
    ]);
    if (step === undefined) return { numbered: 0, tookMs: 0, last: undefined };
    const { numbered, tookMs, ...last } = step;
    return { numbered, tookMs, last: { account, ...last } };
  },
});

/** Citus has no plan with parameters of a statement that reads every shard. */
const onCitus = ({ connections, timeoutMs, now }: NumbererOptions): NumberingSql => ({
  isHeld: ON_CITUS.isHeld,
  findNext: async ({ account, createdAtMs, reference }) => {
    const found = findNext(pg.escapeLiteral(account), String(createdAtMs), pg.escapeLiteral(reference));
    const [, rows] = await connections.script(`SET LOCAL statement_timeout = ${timeoutMs};\n${found}`);
    return positionOf(rows?.[0] as FoundRow | undefined);
  },
  number: async (after, limit) => {
    const beganAtMs = performance.now();
    const results = await connections.script(numberScript(after, limit, now(), timeoutMs));
    const [createdAtMs, reference] = (results[3]?.at(-1) ?? []) as [number?, string?];
    return {
      numbered: results[4]?.length ?? 0,
      tookMs: performance.now() - beganAtMs,
      last:
        createdAtMs === undefined || reference === undefined
          ? undefined
          : { account: after.account, createdAtMs, reference },
    };
  },
});

/** One way through all unnumbered transactions, in their order. */
interface Pass {
  after: Position;
  numbered: number;
  /** Why an account was left out. */
  failure: unknown;
}

const newPass = (): Pass => ({ after: START, numbered: 0, failure: undefined });

export function transactionNumberer(options: NumbererOptions): ChangeNumberer {
  const { rowLevelSecurity, timeoutMs } = options;
  const sql = rowLevelSecurity ? onPostgres(options) : onCitus(options);
  let pass = newPass();
  let size = FIRST_BATCH_SIZE;

  /** Leaves out an account that fails alone for the rest of the pass. */
  const leaveOut = (account: string, error: unknown) => {
    if (!sql.isHeld(error) && !isRowError(error) && !isSlowStatement(error)) throw error;
    if (isSlowStatement(error)) size = batchSizeAfter(size, 2 * TARGET_MS, TARGET_MS);
    // A held account becomes free by itself: any other failure is rather reported.
    if (pass.failure === undefined || sql.isHeld(pass.failure)) pass.failure = error;
    pass.after = endOf(account);
  };

  /** Goes on with the pass until the step is full, or to the end of the pass. Small accounts follow one another for TARGET_MS. */
  const fill = async (step: { numbered: number; tookMs: number }, giveUpAtMs: number): Promise<void> => {
    const endAtMs = performance.now() + TARGET_MS;
    while (step.numbered < size && (step.numbered === 0 || performance.now() < endAtMs)) {
      const found = await sql.findNext(pass.after);
      if (found === undefined) return;
      const { account } = found;
      const after = pass.after.account === account ? pass.after : { ...START, account };
      try {
        const { numbered, tookMs, last } = await sql.number(after, size - step.numbered);
        step.numbered += numbered;
        step.tookMs += tookMs;
        // Without rows, another instance numbered them meanwhile.
        pass.after = last ?? found;
      } catch (error) {
        leaveOut(account, error);
        if (step.numbered === 0 && performance.now() > giveUpAtMs) throw error;
      }
    }
  };

  /** Returns how many it numbered; 0 at the end of the pass. After each full step, the caller pauses. */
  const goOn = async (giveUpAtMs: number): Promise<number> => {
    const step = { numbered: 0, tookMs: 0 };
    try {
      await fill(step, giveUpAtMs);
    } catch (error) {
      // If it lasts, the next call fails.
      if (step.numbered === 0) throw error;
    }
    if (step.numbered >= size || step.tookMs > TARGET_MS)
      size = batchSizeAfter(step.numbered, step.tookMs, TARGET_MS);
    pass.numbered += step.numbered;
    return step.numbered;
  };

  return {
    numberTransactions: async () => {
      const giveUpAtMs = performance.now() + timeoutMs;
      for (;;) {
        const numbered = await goOn(giveUpAtMs);
        if (numbered > 0) return numbered;
        const ended = pass;
        pass = newPass();
        // The next pass finds what was recorded behind the position meanwhile.
        if (ended.numbered > 0) continue;
        if (ended.failure === undefined) return 0;
        if (!sql.isHeld(ended.failure) || performance.now() > giveUpAtMs) throw ended.failure;
        await delay(RETRY_AFTER_MS);
      }
    },
  };
}
