import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { type Connection, explainError, type KeyedConnections } from '../../../db/postgres/driver/index.ts';
import type { StampCommit } from '../../changes/change.ts';
import type { AccountTransaction } from '../../transaction.ts';
import type { RecordOutcome } from '../record.ts';
import { GroupRecording, isHeldHead, SPLIT_WAIT_MS } from './record-group.ts';
import {
  type RecordingStatements,
  rowIdentityOf,
  type SendOptions,
  type StatementSender,
} from './record-statements.ts';

const MAX_PAUSE_MS = 100;
const FIRST_HEAD_WAIT_MS = 50;
const MAX_HEAD_WAIT_MS = 400;
/** If the server exceeds a deadline, the connection is closed this long after the deadline. */
const ANSWER_MS = 100;
const MAX_GROUP_SIZE = 500;
const MAX_WAITING = 1000;

interface HeldRecorderOptions {
  connections: KeyedConnections;
  timeoutMs: number;
  statements: RecordingStatements;
  stampCommit: StampCommit;
}

interface Waiting {
  transaction: AccountTransaction;
  deadlineMs: number;
  resolve(outcome: RecordOutcome | Promise<RecordOutcome>): void;
  reject(error: unknown): void;
}

/**
 * Records while another program holds a lock. If the lock is on an account's row, the account's recordings
 * wait for it as one group. If the lock is on a transaction's row, this transaction is retried alone, so that
 * the account's other recordings do not wait.
 */
export class HeldRecorder {
  readonly #options: HeldRecorderOptions;
  /** By account. An entry, even an empty one, means that `#recordAccount` runs for the account. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(options: HeldRecorderOptions) {
    this.#options = options;
  }

  record(transaction: AccountTransaction): Promise<RecordOutcome> {
    const { connections, timeoutMs, statements } = this.#options;
    const deadlineMs = performance.now() + timeoutMs;
    const isRow = statements.maxRows === 1 || connections.isSlow(rowIdentityOf(transaction));
    return isRow
      ? this.#recordRow(transaction, deadlineMs)
      : this.#recordWithAccount(transaction, deadlineMs);
  }

  /** Repeats `work` while an account's or transaction's row is locked. Holds no connection during a pause. */
  async untilFree<Result>(
    key: string,
    work: (sending: SendOptions) => Promise<Result>,
    deadlineMs = performance.now() + this.#options.timeoutMs,
  ): Promise<Result> {
    const { connections, statements } = this.#options;
    for (let pauseMs = SPLIT_WAIT_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        return await connections.run(key, deadlineMs, (connection) =>
          work(sendOptionsOf(connection, deadlineMs, MAX_PAUSE_MS, SPLIT_WAIT_MS)),
        );
      } catch (error) {
        const leftMs = deadlineMs - performance.now();
        if (!statements.isHeld(error) || leftMs <= 0) throw error;
        await delay(Math.min(pauseMs, leftMs));
      }
    }
  }

  async #recordRow(transaction: AccountTransaction, deadlineMs: number): Promise<RecordOutcome> {
    const { connections, statements, stampCommit } = this.#options;
    const record = async (on: SendOptions) => {
      const group = new GroupRecording(statements, on, stampCommit);
      await group.record([transaction]);
      const result = group.resultOf(transaction);
      if (result.outcome === 'failed') throw result.error;
      // Remembers that the account's row is locked, so that the account's next recordings wait as one group.
      if (group.heldAccounts.size > 0) connections.remember(transaction.account);
      if (result.outcome === 'held') throw group.heldBy;
      return result;
    };
    return this.untilFree(rowIdentityOf(transaction), record, deadlineMs);
  }

  #recordWithAccount(transaction: AccountTransaction, deadlineMs: number): Promise<RecordOutcome> {
    const { account } = transaction;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(account);
      const own = { transaction, deadlineMs, resolve, reject };
      if (waiting === undefined) {
        this.#waiting.set(account, [own]);
        void this.#recordAccount(account);
      } else if (waiting.length >= MAX_WAITING) {
        reject(new StoreUnavailable('database_queue', 'too many recordings wait for the account'));
      } else waiting.push(own);
    });
  }

  async #recordAccount(account: string): Promise<void> {
    const { connections } = this.#options;
    const waitingNow = () => this.#waiting.get(account) ?? [];
    for (let headWaitMs = FIRST_HEAD_WAIT_MS; waitingNow().length > 0; ) {
      const deadlineMs = Math.max(...waitingNow().map((one) => one.deadlineMs));
      try {
        await connections.run(account, deadlineMs, (connection) =>
          this.#recordNext(account, sendOptionsOf(connection, deadlineMs, headWaitMs, SPLIT_WAIT_MS)),
        );
        headWaitMs = FIRST_HEAD_WAIT_MS;
      } catch (error) {
        headWaitMs = Math.min(MAX_HEAD_WAIT_MS, 2 * headWaitMs);
        const nowMs = performance.now();
        const canWait = isHeldHead(error) || nowMs >= deadlineMs;
        this.#take(
          account,
          (one) => !canWait || one.deadlineMs <= nowMs,
          (one) => one.reject(error),
        );
      }
    }
    this.#waiting.delete(account);
  }

  async #recordNext(account: string, sending: SendOptions): Promise<void> {
    const { statements, stampCommit } = this.#options;
    const group = this.#nextGroup(account);
    const recording = new GroupRecording(statements, sending, stampCommit);
    await recording.record(group.map(({ transaction }) => transaction));
    const isWaiting = ({ transaction }: Waiting) =>
      recording.resultOf(transaction).outcome === 'held' &&
      !recording.heldRows.has(rowIdentityOf(transaction));
    const done = new Set(group.filter((one) => !isWaiting(one)));
    this.#take(
      account,
      (one) => done.has(one),
      ({ transaction, deadlineMs, resolve, reject }) => {
        const result = recording.resultOf(transaction);
        if (result.outcome === 'failed') reject(result.error);
        else if (result.outcome === 'held') resolve(this.#recordRow(transaction, deadlineMs));
        else resolve(result);
      },
    );
    if (recording.heldAccounts.size > 0) throw recording.heldBy;
  }

  /** If two recordings have the same reference, the second waits for the next group. */
  #nextGroup(account: string): Waiting[] {
    const group = new Map<string, Waiting>();
    for (const one of this.#waiting.get(account) ?? []) {
      if (group.size >= MAX_GROUP_SIZE) break;
      if (!group.has(one.transaction.reference)) group.set(one.transaction.reference, one);
    }
    return [...group.values()];
  }

  #take(account: string, isTaken: (one: Waiting) => boolean, settle: (one: Waiting) => void): void {
    const { taken = [], left = [] } = Object.groupBy(this.#waiting.get(account) ?? [], (one) =>
      isTaken(one) ? 'taken' : 'left',
    );
    this.#waiting.set(account, left);
    for (const one of taken) settle(one);
  }
}

function sendOptionsOf(
  connection: Connection,
  deadlineMs: number,
  headWaitMs: number,
  rowWaitMs: number,
): SendOptions {
  const explain = (error: unknown) => {
    throw explainError(error);
  };
  const sender: StatementSender = {
    transact: (steps) => connection.transact(steps, deadlineMs + ANSWER_MS).catch(explain),
    script: (text) => connection.script(text, deadlineMs + ANSWER_MS).catch(explain),
  };
  const within = (waitMs: number) =>
    Math.max(1, Math.min(waitMs, Math.floor(deadlineMs - performance.now())));
  return { sender, headWaitMs: within(headWaitMs), rowWaitMs: within(rowWaitMs) };
}
