import type { RecordOutcome, RecordResult, TransactionRecorder } from './store.ts';
import type { AccountTransaction } from './transaction.ts';

/** Nobody waits for the commit of more than so many others. */
const MAX_GROUP = 500;

interface Waiting {
  transaction: AccountTransaction;
  resolve(outcome: RecordOutcome): void;
  reject(error: unknown): void;
}

export type GroupRecorder = Pick<TransactionRecorder, 'recordTransactions' | 'recordHeld'>;

/**
 * What became of one transaction of a group: its outcome, or its own error. Waits where its row is held.
 */
export async function settleResult(
  recorder: GroupRecorder,
  transaction: AccountTransaction,
  result: RecordResult,
): Promise<RecordOutcome> {
  if (result.outcome === 'held') return recorder.recordHeld(transaction);
  if (result.outcome === 'failed') throw result.error;
  return result;
}

/**
 * Records what is asked for at the same time in one commit: the next group gathers while one is being committed,
 * and does not wait for transactions whose row is held. Each caller gets the outcome of its own transaction, once
 * it is durable.
 */
export class GroupCommit {
  readonly #recorder: GroupRecorder;
  readonly #nextTurn: () => Promise<unknown>;
  #waiting: Waiting[] = [];
  #running = false;

  /** `nextTurn` resolves when what has arrived by now was looked at. */
  constructor(recorder: GroupRecorder, nextTurn: () => Promise<unknown>) {
    this.#recorder = recorder;
    this.#nextTurn = nextTurn;
  }

  record(transaction: AccountTransaction): Promise<RecordOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transaction, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#nextTurn();
      const group = this.#takeGroup();
      try {
        const results = await this.#recorder.recordTransactions(group.map(({ transaction }) => transaction));
        for (const [index, { transaction, resolve, reject }] of group.entries()) {
          const result = results[index] as RecordResult;
          if (result.outcome === 'held' || result.outcome === 'failed')
            settleResult(this.#recorder, transaction, result).then(resolve, reject);
          else resolve(result);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#running = false;
  }

  /** The first that wait, but of one reference only the first: the others are compared with it, in their turn. */
  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const waiting of this.#waiting) {
      const identity = `${waiting.transaction.account} ${waiting.transaction.reference}`;
      if (group.length < MAX_GROUP && !taken.has(identity)) group.push(waiting);
      else later.push(waiting);
      taken.add(identity);
    }
    this.#waiting = later;
    return group;
  }
}
