import { compareWithRecorded } from '../../core/record-transaction.ts';
import {
  type IdempotencyKey,
  type RecordOnceOutcome,
  type RecordResult,
  StoreUnavailable,
  type TransactionRecorder,
} from '../../core/store.ts';
import type { AccountTransaction, Transaction } from '../../core/transaction.ts';
import { type TransactionRow, transactionOf } from '../transaction-columns.ts';
import {
  type Connection,
  type Connections,
  explainError,
  isHeldRow,
  isRowError,
  type SlowLane,
  type Statement,
  type Value,
} from './driver/index.ts';
import {
  type Identity,
  identityOf,
  type Lane,
  ON_CITUS,
  ON_POSTGRES,
  READ_KEY,
  type Statements,
} from './record-statements.ts';

export interface RecorderOptions {
  connections: Pick<Connections, 'query'>;
  /** Off on Citus, where a statement has one row. */
  rowLevelSecurity: boolean;
  /** How long a statement waits for a row that another transaction of the database holds. */
  waitMs: number;
  /** Where a recording waits for a held row, and how long in all. Without it, recordHeld fails. */
  held?: { lane: SlowLane; timeoutMs: number };
}

/** How long a part of a refused group waits for a row: long enough if no transaction holds it. */
const SPLIT_WAIT_MS = 5;
/** A refused group is sent again in this many parts. */
const PARTS = 4;
/** After this many held rows of a group, a part that contains one counts as held, and is not split further. */
const MAX_HELD = 16;
/** The longest turn of a held row on a connection, before other rows have theirs. */
const TURN_MS = 100;

/**
 * Records in at most three statements, each its own transaction of the database: new transactions are inserted, pending
 * ones advance, and the rest is compared with the committed rows.
 */
export function transactionRecorder({
  connections,
  rowLevelSecurity,
  waitMs,
  held,
}: RecorderOptions): TransactionRecorder {
  const statements = rowLevelSecurity ? ON_POSTGRES : ON_CITUS;
  const shared: Lane = { send: (sent, values) => connections.query(sent, values), waitMs };

  /** Repeats work in turns, each with a connection to itself, until the row is free. */
  const untilFree = async <Result>(key: string, work: (lane: Lane) => Promise<Result>): Promise<Result> => {
    if (held === undefined) throw new StoreUnavailable('another transaction of the database holds the row');
    const deadlineMs = performance.now() + held.timeoutMs;
    // Short turns first: many rows are free by now, and must not wait for the long turns of rows that are still held.
    for (let turnMs = SPLIT_WAIT_MS; ; turnMs = Math.min(TURN_MS, turnMs * 2)) {
      try {
        return await held.lane.run(key, deadlineMs, (connection) =>
          work(laneOf(connection, deadlineMs, turnMs)),
        );
      } catch (error) {
        if (!statements.isHeld(error) || performance.now() >= deadlineMs) throw error;
      }
    }
  };

  return {
    recordTransactions: async (transactions) => {
      const group = new Group(statements, shared);
      // Other recordings wait for these rows already, and come first.
      for (const transaction of held?.lane.hasSlow ? transactions : []) {
        const identity = identityOf(transaction);
        if (held?.lane.isSlow(identity)) group.results.set(identity, { outcome: 'held' });
      }
      await group.record(transactions);
      return transactions.map(group.resultOf);
    },

    recordHeld: (transaction) =>
      untilFree(identityOf(transaction), async (lane) => {
        const group = new Group(statements, lane);
        await group.record([transaction]);
        const result = group.resultOf(transaction);
        if (result.outcome === 'failed') throw result.error;
        if (result.outcome === 'held') throw group.heldBy;
        return result;
      }),

    recordOnce: async (transaction, once) => {
      const key = `${transaction.account} key ${once.key}`;
      const record = (lane: Lane) => recordUnderKey(statements, lane, transaction, once);
      if (held?.lane.isSlow(key)) return untilFree(key, record);
      try {
        return await record(shared);
      } catch (error) {
        if (!statements.isHeld(error)) throw error;
        return untilFree(key, record);
      }
    },
  };
}

function laneOf(connection: Connection, deadlineMs: number, turnMs: number): Lane {
  return {
    send: async <Row extends Value[]>(sent: Statement, values: readonly unknown[]) =>
      // The server ends the wait in time, so the connection is closed only if the server does not respond.
      connection.query<Row>(sent, values, deadlineMs + TURN_MS).catch((error) => {
        throw explainError(error);
      }),
    waitMs: Math.max(1, Math.min(turnMs, Math.floor(deadlineMs - performance.now()))),
  };
}

/** Transactions that are recorded together, and the result of each. */
class Group {
  readonly results = new Map<string, RecordResult>();
  /** The error of the last held row. */
  heldBy: unknown;
  readonly #statements: Statements;
  readonly #lane: Lane;
  #held = 0;

  constructor(statements: Statements, lane: Lane) {
    this.#statements = statements;
    this.#lane = lane;
  }

  readonly resultOf = (transaction: AccountTransaction) =>
    this.results.get(identityOf(transaction)) as RecordResult;

  async record(transactions: readonly AccountTransaction[]): Promise<void> {
    const { record, advance, read } = this.#statements;
    const withoutResult = (rows: readonly AccountTransaction[]) =>
      rows.filter((row) => !this.results.has(identityOf(row)));
    const note = (identities: readonly Identity[], outcome: 'recorded' | 'changed') => {
      for (const [account, reference] of identities) this.results.set(`${account} ${reference}`, { outcome });
    };
    let left = this.results.size === 0 ? transactions : withoutResult(transactions);
    note(await this.#sendAll(record, left), 'recorded');
    left = withoutResult(left);
    note(await this.#sendAll(advance, left), 'changed');
    left = withoutResult(left);
    const rows = await this.#sendAll(read, left);
    const recorded = new Map(
      rows.map((row) => [`${row.at(-1)} ${row[0]}`, transactionOf(row as unknown as TransactionRow)]),
    );
    for (const given of withoutResult(left))
      this.results.set(identityOf(given), compared(recorded.get(identityOf(given)), given));
  }

  async #sendAll<Row>(send: SendRows<Row>, rows: readonly AccountTransaction[]): Promise<Row[]> {
    const { maxRows } = this.#statements;
    const statements = maxRows === 1 ? rows.map((row) => [row]) : [rows];
    const sent = statements.map((some) => (some.length === 0 ? [] : this.#send(send, some, this.#lane)));
    return (await Promise.all(sent)).flat();
  }

  /** Sends rows. If the server refuses a statement because of some of its rows, sends parts, until these rows are found. */
  async #send<Row>(send: SendRows<Row>, rows: readonly AccountTransaction[], lane: Lane): Promise<Row[]> {
    try {
      return await send(lane, rows);
    } catch (error) {
      const isHeld = this.#statements.isHeld(error);
      if (!isRowError(error) && !(rows.length === 1 && isHeld)) throw error;
      if (rows.length > 1 && !(isHeldRow(error) && this.#held >= MAX_HELD)) {
        const size = Math.ceil(rows.length / PARTS);
        const parts = Array.from({ length: PARTS }, (_, part) => rows.slice(part * size, (part + 1) * size));
        const briefly = { ...lane, waitMs: Math.min(lane.waitMs, SPLIT_WAIT_MS) };
        const sent = parts.map((part) => (part.length === 0 ? [] : this.#send(send, part, briefly)));
        return (await Promise.all(sent)).flat();
      }
      if (isHeld) {
        this.heldBy = error;
        this.#held += rows.length;
      }
      for (const row of rows)
        this.results.set(identityOf(row), isHeld ? { outcome: 'held' } : { outcome: 'failed', error });
      return [];
    }
  }
}

type SendRows<Row> = (lane: Lane, rows: readonly AccountTransaction[]) => Promise<Row[]>;

function compared(recorded: Transaction | undefined, given: AccountTransaction): RecordResult {
  const comparison = recorded && compareWithRecorded(recorded, given);
  if (comparison === undefined || comparison.outcome === 'changed')
    return { outcome: 'failed', error: new Error('a recorded transaction changed while it was compared') };
  return comparison;
}

async function recordUnderKey(
  statements: Statements,
  lane: Lane,
  transaction: AccountTransaction,
  { key, fingerprint }: IdempotencyKey,
): Promise<RecordOnceOutcome> {
  const { account } = transaction;
  const [fresh] = await statements.useKey(lane, [account, key, fingerprint, transaction.reference]);
  const [used] = fresh
    ? [[fingerprint, transaction.reference] as const]
    : await lane.send<[fingerprint: string, reference: string]>(READ_KEY, [account, key]);
  if (used === undefined) throw new Error('an idempotency key disappeared');
  if (used[0] !== fingerprint) return { outcome: 'key_reused' };
  // Also if the key was used before: that request can have been interrupted before this statement.
  await statements.record(lane, [{ ...transaction, reference: used[1] }]);
  return fresh ? { outcome: 'recorded' } : { outcome: 'repeated', reference: used[1] };
}
