import { setTimeout as delay } from 'node:timers/promises';
import {
  type ImportConnection,
  type ImportOutcome,
  StoreRefused,
  StoreUnavailable,
  type TransactionRecorder,
} from '../../core/store.ts';
import type { AccountTransaction } from '../../core/transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-columns.ts';
import {
  arrayQuery,
  connectToPrimary,
  explainError,
  isDeadlock,
  type PostgresAddress,
  RECORDING_SETTINGS,
  type SessionLimits,
  type Value,
} from './driver/index.ts';
import { transactionRecorder } from './record-transactions.ts';
import { MISSING_RIGHTS_TO_IMPORT } from './role-rights.ts';
import { selectOfAccount } from './row-level-security.ts';

/** Limits of statements that no request waits for. */
const LIMITS: SessionLimits = {
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
};

/** How long a batch waits for a row before it records the other rows without it. */
const ROW_WAIT_MS = 1000;
const RETRY_FOR_MS = 60_000;
const RETRY_AFTER_MS = 20;

/** The connection of an import to a database. */
export async function openImportConnection(
  address: PostgresAddress,
  rowLevelSecurity: boolean,
): Promise<ImportConnection> {
  const { client } = await connectToPrimary(address, {
    ...LIMITS,
    pipeline: true,
    planSettings: RECORDING_SETTINGS,
  }).catch((error) => {
    throw explainError(error);
  });
  const query = async <Row extends Value[]>({ text }: { text: string }, values: readonly unknown[]) =>
    retryDeadlocks(async () => (await client.query<Row>(arrayQuery(text, values))).rows);
  const read: typeof query = (sent, values) =>
    query<never>(sent, values).catch((error) => {
      throw explainError(error);
    });
  const recorder = transactionRecorder({ connections: { query }, rowLevelSecurity, waitMs: ROW_WAIT_MS });
  let doneAtMs = 0;
  const hasTransactions = {
    text: selectOfAccount(
      rowLevelSecurity,
      '1',
      (account) => `SELECT 1 FROM transactions WHERE account = ${account} LIMIT 1`,
    ),
  };
  const retrieve = {
    text: selectOfAccount(
      rowLevelSecurity,
      TRANSACTION_COLUMNS,
      (account) =>
        `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ${account} AND reference = ANY($2::text[]) OFFSET 0`,
    ),
  };

  return {
    accountsInUse: async (accounts) => {
      const inUse = await Promise.all(
        accounts.map(async (account) =>
          (await read(hasTransactions, [account])).length > 0 ? [account] : [],
        ),
      );
      return new Set(inUse.flat());
    },
    retrieveTransactions: async (account, references) =>
      (await read<TransactionRow>(retrieve, [account, references])).map(transactionOf),
    recordTransactions: async (transactions) => {
      const sentAtMs = performance.now();
      const outcomes = await recordAll(recorder, transactions);
      // The server begins a batch after it has finished the previous one.
      const beganAtMs = Math.max(sentAtMs, doneAtMs);
      doneAtMs = performance.now();
      return { outcomes, tookMs: doneAtMs - beganAtMs };
    },
    batchesInFlight: 2,
    missingRights: async () =>
      (await read<[string]>({ text: MISSING_RIGHTS_TO_IMPORT }, [])).map(([right]) => right),
    close: () => client.end(),
  };
}

/** Records a batch. Sends rows that other transactions of the database hold again, until they are free. */
async function recordAll(
  recorder: Pick<TransactionRecorder, 'recordTransactions'>,
  transactions: readonly AccountTransaction[],
): Promise<ImportOutcome[]> {
  const giveUpAtMs = performance.now() + RETRY_FOR_MS;
  const outcomes = new Map<AccountTransaction, ImportOutcome>();
  for (
    let left = transactions;
    left.length > 0;
    left = transactions.filter((transaction) => !outcomes.has(transaction))
  ) {
    const results = await recorder.recordTransactions(left).catch((error) => {
      throw explainError(error);
    });
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'failed') throwUnlessRefused(result.error);
      if (result.outcome !== 'held') outcomes.set(left[index] as AccountTransaction, result);
      else if (performance.now() > giveUpAtMs)
        throw new StoreUnavailable('another transaction of the database holds the row');
    }
  }
  return transactions.map((transaction) => outcomes.get(transaction) as ImportOutcome);
}

/** A failing database or a missing right ends the import. A refused row fails alone. */
function throwUnlessRefused(error: unknown): void {
  const explained = explainError(error);
  if (explained instanceof StoreUnavailable || explained instanceof StoreRefused) throw explained;
}

/** Repeats a statement that the server cancelled to end a deadlock: it changed nothing. */
async function retryDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  const giveUpAtMs = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || performance.now() > giveUpAtMs) throw error;
      await delay(RETRY_AFTER_MS);
    }
  }
}
