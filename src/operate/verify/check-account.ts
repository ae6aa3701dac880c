import { DAY_MS, dayOf } from '../../../values/calendar.ts';
import { MAX_DETAILS_BYTES } from '../../../values/interface/limits.ts';
import { BUILT_IN_STATUSES, isStatusName } from '../../../values/status.ts';
import type { Archive } from '../../ledger/archives/archive.ts';
import { detailsOfText, isDetailsText } from '../../ledger/details.ts';
import { archiveDetail } from '../archive/archive.ts';
import { type Disagreement, type RowFault, show } from '../disagreement.ts';
import {
  type DaysChunk,
  type RowsToRead,
  readAllRows,
  type StoredHead,
  type StoredRow,
} from '../stored-rows.ts';
import { AccountNumbers, beyondHead, lastNumberOf } from './check-numbers.ts';
import { checkSeals } from './check-seals.ts';
import { isDay, totalsComparison } from './check-totals.ts';
import { isReadable, type VerifyContext } from './context.ts';
import { whileNotArchived } from './while-not-archived.ts';

export async function checkAccount(context: VerifyContext, account: string): Promise<void> {
  const { reader, schema, verified } = context;
  verified.accounts++;
  if (schema.rowOrder === null) return;
  const place = `the transactions in the ${schema.rowOrder}`;
  await isReadable(context, { account, place }, async () => {
    await whileNotArchived(context, account, async (held, archive) => {
      const head = await reader.readHead(account);
      if (head.closedAtSequence !== null) {
        await held.report(unfinishedErasure(account));
        return;
      }
      const numbers = new AccountNumbers(account, head, archive);
      const check = new AccountCheck(held, numbers, head);
      await check.rows();
      await check.missingNumbers();
      verified.changes += numbers.numbers.size;
      await checkSeals(held, account, archive);
      await checkArchive(held, account, archive);
    });
  });
}

const unfinishedErasure = (account: string): Disagreement => ({
  check: 'erasure',
  account,
  place: 'the account',
  found: 'a part of it, from an erasure that has not ended',
  expected: `nothing; "transactions erase --account ${account}" completes it`,
});

async function checkArchive(
  { reader, schema, report }: VerifyContext,
  account: string,
  archive: Archive | undefined,
): Promise<void> {
  if (archive === undefined || !schema.tables.has('account_audit')) return;
  // Another check reports a day outside of the calendar.
  if (!isDay(dayOf(archive.beforeMs))) return;
  const { before, ...floor } = archiveDetail(account, archive);
  if (await reader.hasArchiveEntry(account, JSON.stringify({ before, ...floor }))) return;
  await report({
    check: 'numbers',
    account,
    place: 'archive',
    found: `${before} as its day, and ${floor.floorSequence} with the id ${floor.floorId} as its floor`,
    contradicts: 'no entry account.archived of the audit trail has these',
  });
}

class AccountCheck {
  readonly #context: VerifyContext;
  readonly #numbers: AccountNumbers;
  readonly #hadHead: boolean;
  /** Never decreases. */
  #head: number;

  constructor(context: VerifyContext, numbers: AccountNumbers, { head, largest }: StoredHead) {
    this.#context = context;
    this.#numbers = numbers;
    this.#hadHead = head !== null;
    this.#head = head ?? largest;
  }

  async rows(): Promise<void> {
    const { reader, pageSize, report } = this.#context;
    for await (const { range, comparison } of this.#storedTotals()) {
      const part: RowsToRead = { pageSize, fromMs: startOf(range.from), beforeMs: startOf(range.before) };
      for await (const rows of readAllRows(reader, this.#numbers.account, part)) {
        for (const row of rows) {
          await this.#row(row);
          if (this.#numbers.wasRecorded(row)) this.#context.verified.transactions++;
          comparison?.add(row);
        }
        await this.#beyondHead(rows);
        this.#context.onProgress();
      }
      for (const disagreement of comparison?.disagreements() ?? []) await report(disagreement);
    }
  }

  async missingNumbers(): Promise<void> {
    const { reader, report } = this.#context;
    const hasHead = this.#hadHead || (await reader.readHead(this.#numbers.account)).head !== null;
    for (const disagreement of this.#numbers.missing({ hasHead })) await report(disagreement);
  }

  /** If the table of stored totals is missing, yields a single range with all days. */
  async *#storedTotals(): AsyncGenerator<{
    range: DaysChunk;
    comparison: ReturnType<typeof totalsComparison> | null;
  }> {
    const { reader, schema, verified, pageSize } = this.#context;
    const { account } = this.#numbers;
    if (!schema.tables.has('daily_totals')) {
      yield { range: { from: null, before: null }, comparison: null };
      return;
    }
    let from: number | null = null;
    do {
      const day: number | undefined = await reader.findDayAfter(account, from, pageSize);
      const before: number | null =
        day === undefined || !isDay(day) ? null : Math.max(day, (from ?? day - 1) + 1);
      const stored = await reader.readStoredTotals(account, { from, before });
      verified.dailyTotals += stored.days.length;
      yield { range: { from, before }, comparison: totalsComparison(account, stored) };
      from = before;
    } while (from !== null);
  }

  async #row(row: StoredRow): Promise<void> {
    const { report } = this.#context;
    const { account } = this.#numbers;
    for (const fault of checkDetails(row))
      await report({ check: 'rows', account, place: `transaction ${row.reference}`, ...fault });
    for (const repeated of this.#numbers.add(row)) await report(repeated);
    await this.#status(row);
  }

  /** A new status is stored before its first transaction, so a missing status is a fault. */
  async #status({ reference, status }: StoredRow): Promise<void> {
    const { reader, schema, recordedStatuses, report } = this.#context;
    if (!schema.tables.has('recorded_statuses')) return;
    if (status === null || BUILT_IN_STATUSES.has(status) || !isStatusName(status)) return;
    if (recordedStatuses.has(status)) return;
    if (await reader.hasRecord('recorded_statuses', [status])) recordedStatuses.add(status);
    else
      await report({
        check: 'rows',
        account: this.#numbers.account,
        place: `transaction ${reference}`,
        found: `status ${show(status)}`,
        contradicts: 'table recorded_statuses does not have it',
      });
  }

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

/** Details are personal data, so no report shows them. */
function* checkDetails(row: StoredRow): Generator<RowFault> {
  for (const field of ['details', 'finalDetails'] as const) {
    const text = row[field];
    if (text === null || isDetailsText(text)) continue;
    const expected = `details of at most ${MAX_DETAILS_BYTES} bytes as JSON, names in their order, or null`;
    yield { found: `${field} of ${text.length} characters`, expected };
  }
  const { details, finalDetails } = row;
  if (finalDetails === null) return;
  const before = details === null ? {} : isDetailsText(details) && detailsOfText(details);
  const after = isDetailsText(finalDetails) && detailsOfText(finalDetails);
  const areMore =
    before !== false &&
    after !== false &&
    Object.entries(before).every(([name, text]) => after[name] === text) &&
    details !== finalDetails;
  if (!areMore)
    yield {
      found: `finalDetails of ${finalDetails.length} characters`,
      expected: 'the details of the first change and more',
    };
}

const startOf = (day: number | null) => (day === null ? null : day * DAY_MS);
