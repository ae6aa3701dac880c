import { DAY_MS, firstDayOf, monthOf } from '../../values/calendar.ts';
import { checkIndex } from './check-index.ts';
import { AccountNumbers, beyondHead, lastNumberOf } from './check-numbers.ts';
import { checkRow } from './check-row.ts';
import { aheadOfHead, hasMonth, RollUpComparison } from './check-totals.ts';
import type { VerifyContext } from './context.ts';
import type { Disagreement } from './disagreement.ts';
import { type RowsToRead, readAllRows } from './read-rows.ts';
import {
  type IndexShape,
  type MonthRange,
  StorageDamaged,
  type StoredHead,
  type StoredRow,
} from './verify-reader.ts';

/** Checks the transactions, numbers, totals and index entries of an account. */
export async function checkAccount(context: VerifyContext, account: string): Promise<void> {
  const { reader, schema, verified } = context;
  const head = await reader.readHead(account);
  const numbers = new AccountNumbers(account, head);
  const check = new AccountCheck(context, numbers, head);
  if (schema.rowOrder !== null) {
    const isRead = await check.readable(`the transactions in the ${schema.rowOrder}`, () => check.rows());
    if (isRead) await check.indexes();
  }
  verified.accounts++;
  verified.changes += numbers.numbers.size;
  verified.unnumbered += numbers.unnumberedCount;
}

class AccountCheck {
  readonly #context: VerifyContext;
  readonly #numbers: AccountNumbers;
  readonly #hadHead: boolean;
  /** The head as it was read last: it only grows. */
  #head: number;
  /** Kept until all is read: a transaction that was not read explains those of its day. */
  readonly #totals: (Disagreement & { day?: number })[] = [];

  constructor(context: VerifyContext, numbers: AccountNumbers, { head, largest }: StoredHead) {
    this.#context = context;
    this.#numbers = numbers;
    this.#hadHead = head !== null;
    this.#head = head ?? largest;
  }

  /** Reports data that the database can't read, and returns false. */
  async readable(place: string, read: () => Promise<void>): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (error) {
      if (!(error instanceof StorageDamaged)) throw error;
      const { account } = this.#numbers;
      const found = `an error of the database: ${error.message}`;
      await this.#context.report({ check: 'indexes', account, place, found, expected: 'readable data' });
      return false;
    }
  }

  /** Reads all transactions, with a part of the roll-up for each part of them. */
  async rows(): Promise<void> {
    const { reader, pageSize } = this.#context;
    for await (const { range, comparison } of this.#rollUps()) {
      // From its own start, not after the last row: what is recorded in between meanwhile belongs to the part before.
      const part: RowsToRead = { pageSize, fromMs: startOf(range.from), beforeMs: startOf(range.to) };
      for await (const rows of readAllRows(reader, this.#numbers.account, part)) {
        for (const row of rows) {
          await this.#row(row);
          comparison?.add(row);
        }
        await this.#beyondHead(rows);
        this.#context.verified.transactions += rows.length;
        this.#context.onProgress();
      }
      for (const disagreement of comparison?.disagreements() ?? []) this.#totals.push(disagreement);
    }
  }

  /** Compares every index with the transactions, then reports what only all reads together show. */
  async indexes(): Promise<void> {
    const { reader, schema, report } = this.#context;
    const { account } = this.#numbers;
    for (const index of schema.indexes) await this.#index(index);
    for (const { day, ...disagreement } of this.#totals)
      if (day === undefined || !this.#numbers.unreadDays.has(day)) await report(disagreement);
    const hasHead = this.#hadHead || (await reader.readHead(account)).head !== null;
    for (const disagreement of this.#numbers.missing({ hasHead })) await report(disagreement);
  }

  #index(index: IndexShape): Promise<boolean> {
    return this.readable(`index ${index.name}`, () => checkIndex(this.#context, index, this.#numbers));
  }

  /** The parts of the roll-up, by months. Without its tables, there is one part of all months. */
  async *#rollUps(): AsyncGenerator<{ range: MonthRange; comparison: RollUpComparison | null }, undefined> {
    const { reader, schema, verified, pageSize } = this.#context;
    const { account } = this.#numbers;
    const hasRollUp = ['daily_totals', 'monthly_totals', 'folded'].every((table) => schema.tables.has(table));
    if (!hasRollUp) {
      yield { range: { from: null, to: null }, comparison: null };
      return undefined;
    }
    let from: number | null = null;
    do {
      const fromDay: number | null = from === null ? null : firstDayOf(from);
      const day: number | undefined = await reader.findDayAfter(account, fromDay, pageSize);
      const month: number | null = day === undefined || !hasMonth(day) ? null : monthOf(day);
      // A month that is larger than a page is a part of its own.
      const to: number | null = month === null ? null : from === null ? month : Math.max(month, from + 1);
      const stored = await reader.readRollUp(account, { from, to });
      if (from === null) this.#totals.push(...aheadOfHead(account, stored));
      verified.dailyTotals += stored.days.length;
      verified.monthlyTotals += stored.months.length;
      yield { range: { from, to }, comparison: new RollUpComparison(account, stored) };
      from = to;
    } while (from !== null);
    return undefined;
  }

  async #row(row: StoredRow): Promise<void> {
    const { report } = this.#context;
    const { account } = this.#numbers;
    for (const fault of checkRow(row))
      await report({ check: 'rows', account, place: `transaction ${row.reference}`, ...fault });
    for (const repeated of this.#numbers.add(row)) await report(repeated);
  }

  /** A number beyond the head, unless the head has grown since it was read. */
  async #beyondHead(rows: readonly StoredRow[]): Promise<void> {
    const beyond = rows.filter((row) => lastNumberOf(row) > this.#head);
    if (beyond.length === 0) return;
    const { reader, report } = this.#context;
    const { account } = this.#numbers;
    const { head, largest } = await reader.readHead(account);
    this.#head = head ?? largest;
    for (const row of beyond)
      if (lastNumberOf(row) > this.#head) await report(beyondHead(account, row, this.#head));
  }
}

const startOf = (month: number | null) => (month === null ? null : firstDayOf(month) * DAY_MS);
