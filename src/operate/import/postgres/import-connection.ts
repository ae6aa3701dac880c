import pg from 'pg';
import { StoreRefused, StoreUnavailable } from '../../../../values/store-errors.ts';
import {
  arrayText,
  Connection,
  connectToPrimary,
  explainError,
  type PostgresAddress,
  type ReadStatement,
  readStatement,
  type SessionLimits,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { MISSING_RIGHTS_TO_IMPORT } from '../../../db/postgres/role-rights.ts';
import { planSettingsOf, selectOfAccount, type Topology } from '../../../db/postgres/topology.ts';
import type { StampCommit } from '../../../ledger/changes/change.ts';
import { makeAccounts, type StatementSender } from '../../../ledger/record/postgres/record-statements.ts';
import { heldRowError, transactionRecorder } from '../../../ledger/record/postgres/record-transactions.ts';
import {
  type GroupResult,
  RefusedRecording,
  type TransactionRecorder,
} from '../../../ledger/record/record.ts';
import {
  type AccountTransaction,
  readTransactionRow,
  TRANSACTION_COLUMNS,
} from '../../../ledger/transaction.ts';
import type { ImportConnection, ImportOutcome } from '../import-connection.ts';

const LIMITS: SessionLimits = {
  statementTimeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
};

/** Long, because a batch that gave up would be overtaken by the next batch. */
const HEAD_WAIT_MS = LIMITS.lockTimeoutMs;
/** How long a batch waits for a locked transaction. Short, because other recordings wait for the batch. */
const ROW_WAIT_MS = 200;
const ANSWER_MS = 10_000;
/** Runs before each batch. Without a pause, the next batch would take the locks before other programs can. */
const PAUSE = readStatement('SELECT pg_sleep(0.002)::text', (row) => row.text());
const MISSING_RIGHTS = readStatement(MISSING_RIGHTS_TO_IMPORT, (row) => row.text());
const RETRY_FOR_MS = 60_000;

export async function openImportConnection(
  address: PostgresAddress,
  { topology, stampCommit }: { topology: Topology; stampCommit: StampCommit },
): Promise<ImportConnection> {
  const connected = await connectToPrimary(address, {
    ...LIMITS,
    pipeline: true,
    planSettings: planSettingsOf(topology).recording,
  }).catch((error) => {
    throw explainError(error);
  });
  const connection = new Connection({ connect: async () => connected });
  // Calls `connect`. If `connect` were never called, `connection.close` would leave `connected` open.
  connection.wake();
  const deadlineMs = () => performance.now() + LIMITS.statementTimeoutMs + ANSWER_MS;
  const read = async <Read>(statement: ReadStatement<Read>, values: readonly Value[]): Promise<Read[]> => {
    const [rows] = await sender.transact([{ statement, values }]).catch((error) => {
      throw explainError(error);
    });
    return rows;
  };
  const sender: StatementSender = {
    transact: (steps) => connection.transact(steps, deadlineMs()),
    script: (text) => connection.script(text, deadlineMs()),
  };
  const recorder = transactionRecorder({
    connections: sender,
    topology,
    headWaitMs: HEAD_WAIT_MS,
    rowWaitMs: ROW_WAIT_MS,
    stampCommit,
  });
  const makeNewAccounts = newAccountMaker(sender);
  let doneAtMs = 0;
  const hasTransactions = readStatement(
    selectOfAccount(
      topology,
      '1::bigint',
      (account) => `SELECT 1::bigint FROM transactions WHERE account = ${account} LIMIT 1`,
    ),
    (row) => row.integer(),
  );
  const retrieve = readStatement(
    selectOfAccount(
      topology,
      TRANSACTION_COLUMNS,
      (account) =>
        `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ${account} AND reference = ANY($2::text[]) OFFSET 0`,
    ),
    readTransactionRow,
  );

  return {
    accountsInUse: async (accounts) => {
      const found = await accountsWithChanges(sender, accounts);
      const inUse = await Promise.all(
        accounts.map(async (account) =>
          found.has(account) || (await read(hasTransactions, [account])).length > 0 ? [account] : [],
        ),
      );
      return new Set(inUse.flat());
    },
    retrieveTransactions: (account, references) => read(retrieve, [account, arrayText(references)]),
    recordTransactions: async (transactions) => {
      const sentAtMs = performance.now();
      if (topology === 'one server') {
        makeNewAccounts(transactions);
        read(PAUSE, []).catch(() => {});
      }
      const outcomes = await recordAll(recorder, transactions);
      const beganAtMs = Math.max(sentAtMs, doneAtMs);
      doneAtMs = performance.now();
      return { outcomes, tookMs: doneAtMs - beganAtMs };
    },
    // On Citus, rows are sent one by one, so rows of a second batch could overtake rows of the first.
    batchesInFlight: topology === 'one server' ? 2 : 1,
    missingRights: () => read(MISSING_RIGHTS, []),
    close: () => connection.close(),
  };
}

/** A query on Citus takes half a millisecond, so one query reads many accounts. */
async function accountsWithChanges(
  sender: StatementSender,
  accounts: readonly string[],
): Promise<Set<string>> {
  const names = pg.escapeLiteral(arrayText(accounts));
  const text = `SELECT account FROM accounts WHERE head_sequence > 0 AND account = ANY (${names}::text[])`;
  const [rows = []] = await sender.script(text).catch((error) => {
    throw explainError(error);
  });
  return new Set(rows.map(([account]) => String(account)));
}

/** Creates missing accounts before their batch. Otherwise the batch would be retried after the next one. */
function newAccountMaker(sender: StatementSender): (transactions: readonly AccountTransaction[]) => void {
  const made = new Set<string>();
  return (transactions) => {
    const missing = new Set(transactions.map(({ account }) => account)).difference(made);
    if (missing.size === 0) return;
    for (const account of missing) made.add(account);
    // If the rows cannot be created, the batch fails too and reports the cause.
    makeAccounts(sender, [...missing], HEAD_WAIT_MS).catch(() => {});
  };
}

async function recordAll(
  recorder: TransactionRecorder,
  transactions: readonly AccountTransaction[],
): Promise<ImportOutcome[]> {
  const giveUpAtMs = performance.now() + RETRY_FOR_MS;
  const outcomes = new Map<AccountTransaction, ImportOutcome>();
  for (
    let left = transactions;
    left.length > 0;
    left = transactions.filter((transaction) => !outcomes.has(transaction))
  ) {
    const results = (await recorder.record(left).catch((error) => {
      throw explainError(error);
    })) as GroupResult[];
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'failed') throwUnlessRefused(result.error);
      if (result.outcome !== 'held') outcomes.set(left[index] as AccountTransaction, result);
      else if (performance.now() > giveUpAtMs) throw heldRowError();
    }
  }
  return transactions.map((transaction) => outcomes.get(transaction) as ImportOutcome);
}

function throwUnlessRefused(error: unknown): void {
  if (error instanceof RefusedRecording) return;
  const explained = explainError(error);
  if (explained instanceof StoreUnavailable || explained instanceof StoreRefused) throw explained;
}
