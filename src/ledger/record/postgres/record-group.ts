import { failedStep, isDuplicate, isLockTimeout, isRowError } from '../../../db/postgres/driver/index.ts';
import type { StampCommit } from '../../changes/change.ts';
import { damagedTotals } from '../../totals/total.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { compareWithRecorded, createdOnArchivedDay, type GroupResult } from '../record.ts';
import {
  type RecordedResult,
  type RecordingStatements,
  rowIdentityOf,
  type SendOptions,
} from './record-statements.ts';

/** A group with a locked row is sent again in parts, each of which waits this long for a lock. */
export const SPLIT_WAIT_MS = 5;
const PARTS = 4;
/** After this many held rows, a part with a held row is not split again: all its rows count as held. */
const MAX_HELD = 16;
/** How often a row is sent at most. It is sent again if its account is new or another program recorded it. */
const MAX_TRIES = 5;

const HEADS = 0;

export const isHeldHead = (error: unknown) => isLockTimeout(error) && failedStep(error) === HEADS;

export class GroupRecording {
  readonly results = new Map<string, GroupResult>();
  readonly heldAccounts = new Set<string>();
  readonly heldRows = new Set<string>();
  heldBy: unknown;
  readonly #statements: RecordingStatements;
  readonly #sending: SendOptions;
  readonly #stampCommit: StampCommit;

  constructor(statements: RecordingStatements, sending: SendOptions, stampCommit: StampCommit) {
    this.#statements = statements;
    this.#sending = sending;
    this.#stampCommit = stampCommit;
  }

  readonly resultOf = (transaction: AccountTransaction) =>
    this.results.get(rowIdentityOf(transaction)) as GroupResult;

  /** Throws only if nothing was recorded. Otherwise, transactions without a result are `failed`. */
  async record(transactions: readonly AccountTransaction[]): Promise<void> {
    try {
      await this.#recordAll(transactions);
    } catch (error) {
      if (this.results.size === 0) throw error;
      for (const row of transactions)
        if (!this.results.has(rowIdentityOf(row)))
          this.results.set(rowIdentityOf(row), { outcome: 'failed', error });
    }
  }

  async #recordAll(transactions: readonly AccountTransaction[]): Promise<void> {
    let left = transactions;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (this.results.size > 0) left = left.filter((row) => !this.results.has(rowIdentityOf(row)));
      if (left.length === 0) return;
      await this.#sendAll(left);
    }
    for (const row of left) {
      if (this.results.has(rowIdentityOf(row))) continue;
      const error = new Error('a recorded transaction changed while it was compared');
      this.results.set(rowIdentityOf(row), { outcome: 'failed', error });
    }
  }

  async #sendAll(rows: readonly AccountTransaction[]): Promise<void> {
    if (this.#statements.maxRows !== 1) return this.#send(rows, this.#sending);
    const accounts = Map.groupBy(rows, ({ account }) => account);
    // Sends the rows of an account one by one. On two connections, a later row could be recorded first.
    const sendInTurn = async (own: readonly AccountTransaction[]) => {
      for (const row of own) await this.#send([row], this.#sending);
    };
    await Promise.all(accounts.values().map(sendInTurn));
  }

  /** If the server refuses rows, sends ever smaller parts until the refused rows are found. */
  async #send(rows: readonly AccountTransaction[], sending: SendOptions): Promise<void> {
    try {
      const results = await this.#statements.record(sending, rows, this.#stampCommit());
      for (const [index, result] of results.entries()) this.#note(rows[index] as AccountTransaction, result);
    } catch (error) {
      // Another program recorded one of the rows. The next try compares that row.
      if (isDuplicate(error, 'transactions_pkey')) return;
      if (isHeldHead(error)) return this.#splitByAccount(rows, sending, error);
      const damaged = damagedAccount(rows, error);
      if (damaged !== undefined) return this.#sendWithout(damaged, rows, sending, error);
      const isHeld = this.#statements.isHeld(error);
      if (!isRowError(error) && !(rows.length === 1 && isHeld)) throw error;
      const briefly = { ...sending, rowWaitMs: Math.min(sending.rowWaitMs, SPLIT_WAIT_MS) };
      if (rows.length > 1 && !(isLockTimeout(error) && this.heldRows.size >= MAX_HELD))
        return this.#sendParts(rows, briefly);
      if (isHeld) {
        for (const row of rows) this.heldRows.add(rowIdentityOf(row));
        this.#noteHeld(rows, error);
      } else for (const row of rows) this.results.set(rowIdentityOf(row), { outcome: 'failed', error });
    }
  }

  async #splitByAccount(
    rows: readonly AccountTransaction[],
    sending: SendOptions,
    error: unknown,
  ): Promise<void> {
    const accounts = Map.groupBy(rows, ({ account }) => account);
    if (accounts.size === 1) {
      for (const account of accounts.keys()) this.heldAccounts.add(account);
      return this.#noteHeld(rows, error);
    }
    const groups = [...accounts.values()];
    const briefly = { ...sending, headWaitMs: Math.min(sending.headWaitMs, SPLIT_WAIT_MS) };
    for (const part of partsOf(groups)) await this.#send(part.flat(), briefly);
  }

  /** Fails all rows of the account, because the error does not say which row was refused. */
  async #sendWithout(
    account: string,
    rows: readonly AccountTransaction[],
    sending: SendOptions,
    error: unknown,
  ): Promise<void> {
    const others = rows.filter((row) => row.account !== account);
    for (const row of rows)
      if (row.account === account) this.results.set(rowIdentityOf(row), { outcome: 'failed', error });
    if (others.length > 0) await this.#send(others, sending);
  }

  /** Sends the parts in sequence, in the order of the rows. In parallel, parts would wait for each other. */
  async #sendParts(rows: readonly AccountTransaction[], sending: SendOptions): Promise<void> {
    for (const part of partsOf(rows)) await this.#send(part, sending);
  }

  #noteHeld(rows: readonly AccountTransaction[], error: unknown): void {
    this.heldBy = error;
    for (const row of rows) this.results.set(rowIdentityOf(row), { outcome: 'held' });
  }

  #note(given: AccountTransaction, result: RecordedResult | undefined): void {
    if (result === undefined) return;
    if ('archivedBeforeMs' in result) {
      const error = createdOnArchivedDay(result.archivedBeforeMs);
      this.results.set(rowIdentityOf(given), { outcome: 'failed', error });
      return;
    }
    if (!('existing' in result)) {
      this.results.set(rowIdentityOf(given), result);
      return;
    }
    const comparison = compareWithRecorded(result.existing, given);
    // Without a result, the row is sent again: another program has just changed it.
    if (comparison.outcome !== 'changed') this.results.set(rowIdentityOf(given), comparison);
  }
}

const damagedAccount = (rows: readonly AccountTransaction[], error: unknown) =>
  rows.find(({ account }) => (error as Error).message.includes(damagedTotals(account)))?.account;

function partsOf<Item>(items: readonly Item[]): Item[][] {
  const size = Math.ceil(items.length / PARTS);
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}
