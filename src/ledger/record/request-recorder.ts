import type { FieldFault } from '../../../values/fault-list.ts';
import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { Statuses } from '../../../values/status.ts';
import { withinTime } from '../../../values/time-limit.ts';
import { accountNotDeclared, type DeclaredAccounts } from '../../accounts/account.ts';
import type { TransactionRetriever } from '../list/list.ts';
import type { AccountTransaction } from '../transaction.ts';
import {
  type GroupRecorder,
  type IdempotencyKey,
  type MadeChange,
  outcomeOrHeld,
  type RecordAlone,
  type RecordOutcome,
  type RecordResult,
  RefusedRecording,
  statusNotDeclared,
  type TransactionRecorder,
  tooFarAhead,
} from './record.ts';

interface RecordingLimits {
  now: () => number;
  requestTimeoutMs: number;
  createdAtAheadMs: number;
  accounts: DeclaredAccounts | null;
  statuses: Statuses;
}

/**
 * Limits createdAt only in new transactions, so that a repetition is not refused after the clock was set
 * back.
 */
export function limitRecorder(
  recorder: GroupRecorder,
  store: TransactionRetriever,
  { now, requestTimeoutMs, createdAtAheadMs, accounts, statuses }: RecordingLimits,
): GroupRecorder {
  const record: GroupRecorder['record'] = (...values) =>
    withinTime(recorder.record(...values), requestTimeoutMs);

  function faultsOfNew(transactions: readonly AccountTransaction[]) {
    const latestMs = now() + createdAtAheadMs;
    const faults = new Map<AccountTransaction, FieldFault>();
    for (const one of transactions) {
      if (one.createdAtMs > latestMs) faults.set(one, tooFarAhead(latestMs));
      if (!statuses.has(one.status)) faults.set(one, statusNotDeclared(one.status, statuses));
    }
    return faults;
  }

  async function refusals(transactions: readonly AccountTransaction[]) {
    const refused = new Map<AccountTransaction, RefusedRecording>();
    const undeclared = await accounts?.undeclared(transactions.map(({ account }) => account));
    for (const transaction of transactions)
      if (undeclared?.has(transaction.account))
        refused.set(transaction, new RefusedRecording(accountNotDeclared(transaction.account)));
    const faults = faultsOfNew(transactions.filter((transaction) => !refused.has(transaction)));
    if (faults.size === 0) return refused;
    const lookUp = async ([transaction, fault]: [AccountTransaction, FieldFault]) => {
      const { account, reference } = transaction;
      const recorded = await store.retrieveTransaction(account, reference);
      const isUndeclared = recorded?.status !== transaction.status && !statuses.has(transaction.status);
      if (recorded === undefined || isUndeclared) refused.set(transaction, new RefusedRecording(fault));
    };
    await inGroups([...faults], READS_AT_ONCE, lookUp);
    return refused;
  }

  async function recordOnce(transactions: readonly AccountTransaction[], once: IdempotencyKey) {
    const [{ account }] = transactions as [AccountTransaction];
    if ((await accounts?.undeclared([account]))?.has(account))
      throw new RefusedRecording(accountNotDeclared(account));
    const [fault] = faultsOfNew(transactions).values();
    const results = await record(transactions, {
      once: { ...once, repeatsOnly: fault !== undefined },
    });
    if (results[0]?.outcome === 'not_recorded') throw new RefusedRecording(fault as FieldFault);
    return results;
  }

  return {
    nodeOf: (account) => recorder.nodeOf?.(account) ?? '',
    record: async (transactions, alone) => {
      // The first attempt, without `waits`, has already checked the limits.
      if (alone?.waits) return record(transactions, alone);
      if (alone?.once !== undefined) return recordOnce(transactions, alone.once);
      const refused = await refusals(transactions);
      if (refused.size === 0) return record(transactions);
      const others = transactions.filter((transaction) => !refused.has(transaction));
      const results = others.length === 0 ? [] : await record(others);
      const next = results.values();
      return transactions.map((transaction): RecordResult => {
        const error = refused.get(transaction);
        return error === undefined ? (next.next().value as RecordResult) : { outcome: 'failed', error };
      });
    },
  };
}

export interface RecordingListener {
  noteChange?(account: string, reference: string, change: MadeChange): void;
  noteRecorded?(account: string): void;
}

export const reportRecordings = <Recorder extends TransactionRecorder>(
  store: Recorder,
  listeners: readonly RecordingListener[],
): Recorder => ({
  ...store,
  record: async (transactions: readonly AccountTransaction[], alone?: RecordAlone) => {
    const results = await store.record(transactions, alone);
    const changed = new Set<string>();
    for (const [index, { account, reference: given }] of transactions.entries()) {
      const result = results[index];
      if (result === undefined || !isChange(result)) continue;
      const { reference = given } = result as { reference?: string };
      for (const listener of listeners) listener.noteChange?.(account, reference, result);
      changed.add(account);
    }
    for (const account of changed) for (const listener of listeners) listener.noteRecorded?.(account);
    return results;
  },
});

const isChange = (result: { outcome: string }): result is { outcome: 'recorded' | 'changed' } & MadeChange =>
  result.outcome === 'recorded' || result.outcome === 'changed';

const MAX_GROUP_SIZE = 500;

interface Waiting {
  transaction: AccountTransaction;
  resolve(outcome: RecordOutcome): void;
  reject(error: unknown): void;
}

/** While one group is committed, the next one forms. A locked row does not delay the next group. */
export class GroupCommit {
  readonly #recorder: GroupRecorder;
  readonly #nextTurn: () => Promise<unknown>;
  /** Keyed by node. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** Each commit first waits for `nextTurn`, so that it includes all requests that have arrived by then. */
  constructor(recorder: GroupRecorder, nextTurn: () => Promise<unknown>) {
    this.#recorder = recorder;
    this.#nextTurn = nextTurn;
  }

  record(transaction: AccountTransaction): Promise<RecordOutcome> {
    return new Promise((resolve, reject) => {
      const node = this.#recorder.nodeOf?.(transaction.account) ?? '';
      const waiting = this.#waiting.get(node);
      const own = { transaction, resolve, reject };
      if (waiting !== undefined) waiting.push(own);
      else {
        this.#waiting.set(node, [own]);
        void this.#run(node);
      }
    });
  }

  async #run(node: string): Promise<void> {
    while (this.#waiting.get(node)?.length !== 0) {
      await this.#nextTurn();
      const group = this.#takeGroup(node);
      try {
        const results = await this.#recorder.record(group.map(({ transaction }) => transaction));
        for (const [index, { transaction, resolve, reject }] of group.entries()) {
          const result = results[index] as RecordResult;
          if (result.outcome === 'held' || result.outcome === 'failed')
            outcomeOrHeld(this.#recorder, transaction, result).then(resolve, reject);
          else resolve(result as RecordOutcome);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#waiting.delete(node);
  }

  /** A second transaction with the same account and reference waits for a later group. */
  #takeGroup(node: string): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Set<string>();
    for (const waiting of this.#waiting.get(node) ?? []) {
      const identity = `${waiting.transaction.account} ${waiting.transaction.reference}`;
      if (group.length < MAX_GROUP_SIZE && !taken.has(identity)) group.push(waiting);
      else later.push(waiting);
      taken.add(identity);
    }
    this.#waiting.set(node, later);
    return group;
  }
}
