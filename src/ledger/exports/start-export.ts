import { dayOf, dayOrNull, formatDay } from '../../values/calendar.ts';
import type { FaultList } from '../../values/fault-list.ts';
import type { RandomBytes } from '../../values/reference.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import type { ChangeReader } from '../changes/change.ts';
import { changeId, isOfHistory } from '../changes/change.ts';
import { historyChanged, NotInHistory } from '../changes/list-changes.ts';
import { NO_FILTER, timeRange } from '../list/list-filter.ts';
import type { TransactionRetriever } from '../list/list-query.ts';
import type { SealHead } from '../seals/seal.ts';
import { sealAt } from '../seals/seal-up-to.ts';
import type { Sealer } from '../seals/seals.ts';
import { readTotals } from '../totals/read-totals.ts';
import { type SumListedOptions, sumAllListed } from '../totals/sum-listed.ts';
import type { ListedSum, ListedSummer, Totals, TotalsReader } from '../totals/totals.ts';
import { refuseTooMany } from '../totals/totals-by-payment.ts';
import { readLastNumber } from '../totals/utc-totals.ts';
import type { Transaction } from '../transaction.ts';
import { EXPORT_LIFETIME_MS, type Export, type ExportStore } from './export.ts';
import { type ExportFilter, paidRange } from './export-filter.ts';
import { newExportId } from './export-id.ts';
import {
  checkMismatch,
  type ExportFault,
  type ExportRequest,
  INVALID_RESUME,
  invalidAfter,
} from './export-query.ts';
import { compareInList } from './list-order.ts';
import { TooManyExports } from './running-exports.ts';
import { filterMatcher, scannedFilter, transactionUpTo } from './transaction-up-to.ts';

/** What exports need of a store. */
export type ExportingStore = ExportStore &
  TotalsReader &
  ListedSummer &
  TransactionRetriever &
  ChangeReader &
  Pick<Sealer, 'readSeal' | 'sealChanges'>;

/** More changes are not sealed for some seconds after an import: then an export has no seal. */
const MAX_UNSEALED = 1000;

/** An export can be resumed so many times: the record of one that never ends must not grow. */
const MAX_PARTS = 1000;

/** Precedes every character that a reference can contain, so no reference is between one and the same with it at the end. */
const AFTER_REFERENCE = '!';

/** What the export read differs from its totals, which reading it again does not fix. */
export class ExportFailed extends Error {
  override readonly name = 'ExportFailed';
}

interface StartOptions {
  nowMs: number;
  randomBytes: RandomBytes;
  /** How many exports of an account are stored at most. */
  mostStored: number;
}

/**
 * Begins an export up to the last change of the account, and stores it.
 *
 * Throws: TooManyExports; TooManyToCompare.
 */
export async function startExport(
  store: ExportingStore,
  account: string,
  { format, filter, spreadsheet }: ExportRequest,
  { nowMs, randomBytes, mostStored, ...options }: StartOptions & SumListedOptions,
): Promise<Export> {
  const sealed = await store.readSeal(account);
  const totals = await totalsOf(store, account, filter, options);
  const started: Export = {
    id: newExportId(randomBytes),
    account,
    format,
    spreadsheet: spreadsheet ?? false,
    filter,
    ...totals,
    seal: await sealOf(store, account, sealed, totals.asOf),
    resumedAfter: [],
    attempt: 1,
    startedAtMs: nowMs,
    result: null,
  };
  const limits = { expiredMs: nowMs - EXPORT_LIFETIME_MS, perAccount: mostStored };
  if (!(await store.createExport(started, limits))) throw new TooManyExports('stored');
  return started;
}

/** The seal at a change, from the last one that was sealed before. Damage, which "verify" names, does not keep an account from its export. */
async function sealOf(
  store: ExportingStore,
  account: string,
  from: SealHead,
  asOf: number,
): Promise<string | null> {
  if (asOf < from.sequence || asOf - from.sequence > MAX_UNSEALED) return null;
  return sealAt(store, account, from, asOf).catch((error) => {
    if (error instanceof StoreUnavailable) throw error;
    return null;
  });
}

/** The stored totals have neither the merchantReference nor days of paidAt: such transactions are added up by the database, independently of reading them. */
async function totalsOf(
  store: ExportingStore,
  account: string,
  filter: ExportFilter,
  options: SumListedOptions,
): Promise<Totals & Pick<Export, 'created'>> {
  const paid = paidRange(filter);
  const days = { fromDay: dayOrNull(filter.from), toDay: dayOrNull(filter.to), paid: null, by: null };
  const isOfReference = filter.merchantReference !== null;
  if (!isOfReference && paid === null)
    return { ...(await readTotals(store, { ...filter, ...days, account }, options)), created: null };
  if (!isOfReference) {
    const all = { ...NO_FILTER, account, timeZone: filter.timeZone, ...days };
    refuseTooMany(await readTotals(store, all, options));
  }
  // In front of the totals: a database that is restored meanwhile differs from it at the end.
  const { asOf, lastNonce } = await readLastNumber(store, account);
  const asOfId = lastNonce === null ? null : changeId(account, { sequence: asOf, nonce: lastNonce });
  const created = new CreatedDays();
  const query = { account, filter, range: timeRange(filter), paid, asOf };
  const totals = await sumAllListed(store, query, { ...options, onRead: (read) => created.add(read) });
  return { asOf, asOfId, totals, created: paid === null ? null : created.days() };
}

/** The UTC days on which transactions were created that are added up. */
class CreatedDays {
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  add({ created }: ListedSum): void {
    if (created === null) return;
    this.#firstMs = Math.min(this.#firstMs, created.firstMs);
    this.#lastMs = Math.max(this.#lastMs, created.lastMs);
  }

  /** One day if there are none. */
  days(): { from: string; to: string } {
    const first = this.#firstMs > this.#lastMs ? 0 : this.#firstMs;
    return { from: formatDay(dayOf(first)), to: formatDay(dayOf(Math.max(first, this.#lastMs))) };
  }
}

/** An account's export that is not too old, or undefined. */
export async function retrieveExport(
  store: Pick<ExportStore, 'findExport'>,
  account: string,
  id: string,
  nowMs: number,
): Promise<Export | undefined> {
  const found = await store.findExport(account, id);
  return found !== undefined && Math.abs(nowMs - found.startedAtMs) < EXPORT_LIFETIME_MS ? found : undefined;
}

/**
 * The export that a request resumes, as it will be stored, or undefined if the request has faults, which are added to
 * `faults`.
 *
 * Throws: ExportFailed; NotInHistory.
 */
export async function findResumed(
  store: ExportingStore,
  account: string,
  request: ExportRequest & { resume: string },
  faults: FaultList<ExportFault>,
  nowMs: number,
): Promise<Export | undefined> {
  const found = await retrieveExport(store, account, request.resume, nowMs);
  if (found === undefined) {
    faults.add(INVALID_RESUME);
    return undefined;
  }
  if (found.result === 'failed') throw new ExportFailed(`${found.id} differs from its totals`);
  await checkHistory(store, found);
  for (const fault of checkMismatch(request, found)) faults.add(fault);
  const { after } = request;
  const resumedAfter = after === null ? [] : await partsBefore(store, found, after);
  if (resumedAfter === undefined) {
    faults.add(invalidAfter(after as string));
    return undefined;
  }
  return { ...found, resumedAfter, attempt: found.attempt + 1, result: null };
}

/**
 * Compares the last change of an export with the one that the account has at its number.
 *
 * Throws: NotInHistory: an older state of the database was restored, and what it has now must not be joined to what was sent.
 */
export async function checkHistory(
  store: Pick<ChangeReader, 'listChanges'>,
  { account, asOf, asOfId }: Pick<Export, 'account' | 'asOf' | 'asOfId'>,
): Promise<void> {
  if (asOfId === null) return;
  const query = { account, after: asOf, afterId: asOfId, limit: 1 };
  const found = await store.listChanges(query);
  if (!isOfHistory(query, found)) throw new NotInHistory(historyChanged(asOf, found), found.headSequence);
}

/**
 * Where the parts of an export end if it is resumed after a transaction: the parts that began after it are resumed earlier now.
 * Undefined if the export does not have the transaction.
 */
async function partsBefore(
  store: ExportingStore,
  exported: Export,
  after: string,
): Promise<string[] | undefined> {
  const { account, filter, asOf } = exported;
  const transaction = await store.retrieveTransaction(account, after);
  if (transaction === undefined) return undefined;
  const query = {
    account,
    filter: scannedFilter(exported),
    after: { createdAtMs: transaction.createdAtMs, reference: after + AFTER_REFERENCE },
  };
  const [row] = await store.listNumbered(query, 1);
  const shown = row === undefined ? undefined : transactionUpTo(row, asOf);
  if (shown?.reference !== after || !filterMatcher(filter)(shown)) return undefined;
  const kept = await countBefore(store, account, exported.resumedAfter, shown);
  return kept < MAX_PARTS ? [...exported.resumedAfter.slice(0, kept), after] : undefined;
}

/** How many of the references, in the order of the list, come before a transaction. Looks up few of them. */
async function countBefore(
  store: TransactionRetriever,
  account: string,
  references: readonly string[],
  transaction: Transaction,
): Promise<number> {
  let from = 0;
  for (let to = references.length; from < to; ) {
    const middle = Math.floor((from + to) / 2);
    const other = await store.retrieveTransaction(account, references[middle] as string);
    if (other !== undefined && compareInList(other, transaction) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
