import type { AccountTransaction } from '../transaction.ts';
import {
  type RecordOutcome,
  type RecordResult,
  recordHeld,
  type ServersOfAccounts,
  type TransactionRecorder,
} from './transaction-recorder.ts';

/** The most transactions in one group. */
const MAX_GROUP_SIZE = 500;

interface Waiting {
  transaction: AccountTransaction;
  resolve(outcome: RecordOutcome): void;
  reject(error: unknown): void;
}

export type GroupRecorder = TransactionRecorder & ServersOfAccounts;

/** The outcome of one transaction of a group, or its error. If the row is held, waits for it. */
export async function settleResult(
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
  result: RecordResult,
): Promise<RecordOutcome> {
  if (result.outcome === 'held') return recordHeld(recorder, transaction);
  if (result.outcome === 'failed') throw result.error;
  return result as RecordOutcome;
}

/**
 * Records concurrent requests together: while one group is committed, the next group collects. Transactions whose row
 * is held do not delay the next group, and each server has groups of its own. Each caller gets the outcome of its own
 * transaction once it is durable.
 */
export class GroupCommit {
  readonly #recorder: GroupRecorder;
  readonly #nextTurn: () => Promise<unknown>;
  /** The transactions that wait for the group that is being committed, by server. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** `nextTurn` resolves after the requests that have already arrived are read: their transactions join the group. */
  constructor(recorder: GroupRecorder, nextTurn: () => Promise<unknown>) {
    this.#recorder = recorder;
    this.#nextTurn = nextTurn;
  }

  record(transaction: AccountTransaction): Promise<RecordOutcome> {
    return new Promise((resolve, reject) => {
      const server = this.#recorder.serverOf?.(transaction.account) ?? '';
      const waiting = this.#waiting.get(server);
      const own = { transaction, resolve, reject };
      if (waiting !== undefined) waiting.push(own);
      else {
        this.#waiting.set(server, [own]);
        void this.#run(server);
      }
    });
  }

  async #run(server: string): Promise<void> {
    while (this.#waiting.get(server)?.length !== 0) {
      await this.#nextTurn();
      const group = this.#takeGroup(server);
      try {
        const results = await this.#recorder.record(group.map(({ transaction }) => transaction));
        for (const [index, { transaction, resolve, reject }] of group.entries()) {
          const result = results[index] as RecordResult;
          if (result.outcome === 'held' || result.outcome === 'failed')
            settleResult(this.#recorder, transaction, result).then(resolve, reject);
          else resolve(result as RecordOutcome);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#waiting.delete(server);
  }

  /** The next group. A second transaction with the same account and reference waits for a later group. */
  #takeGroup(server: string): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const waiting of this.#waiting.get(server) ?? []) {
      const identity = `${waiting.transaction.account} ${waiting.transaction.reference}`;
      if (group.length < MAX_GROUP_SIZE && !taken.has(identity)) group.push(waiting);
      else later.push(waiting);
      taken.add(identity);
    }
    this.#waiting.set(server, later);
    return group;
  }
}
