import { dayOf, dayOrNull } from '../../../values/calendar.ts';
import { formatDay } from '../../../values/days.ts';
import type { RandomBytes } from '../../../values/reference.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { ArchiveReader } from '../archives/archive.ts';
import { archivedBefore } from '../archives/archive.ts';
import type { ChangeReader } from '../changes/change.ts';
import { changeId, isOfHistory } from '../changes/change.ts';
import { historyChanged, NotInHistory } from '../changes/list-changes.ts';
import { NO_FILTER, ownIndexedFilterOf, timeRange } from '../list/list.ts';
import type { SealHead } from '../seals/seal.ts';
import { sealAt } from '../seals/seal-up-to.ts';
import type { Sealer } from '../seals/seals.ts';
import { readTotals } from '../totals/read-totals.ts';
import { type SumListedOptions, sumAllListed } from '../totals/sum-listed.ts';
import type { ListedSum, ListedSummer, Totals, TotalsReader } from '../totals/totals.ts';
import { refuseTooMany } from '../totals/totals-by-payment.ts';
import { readLastNumber } from '../totals/utc-totals.ts';
import { EXPORT_LIFETIME_MS, type Export, type ExportStore } from './export.ts';
import { type ExportFilter, paidRange } from './export-filter.ts';
import { newExportId } from './export-id.ts';
import type { ExportRequest } from './export-query.ts';
import { tooManyExports } from './running-exports.ts';

/** The part of a store that exports need. */
export type ExportingStore = ExportStore &
  TotalsReader &
  ListedSummer &
  ArchiveReader &
  ChangeReader &
  Pick<Sealer, 'readSeal' | 'sealChanges'>;

/** An export has no seal if more changes than this are unsealed, as for some seconds after an import. */
const MAX_UNSEALED = 1000;

interface StartOptions {
  nowMs: number;
  randomBytes: RandomBytes;
  /** How many exports of an account are stored at most. */
  mostStored: number;
}

/**
 * Begins an export up to the last change of the account, and stores it.
 *
 * Throws: a Problem if too many are stored, or it would compare too many transactions.
 */
export async function startExport(
  store: ExportingStore,
  account: string,
  { filter, ...request }: ExportRequest,
  { nowMs, randomBytes, mostStored, ...options }: StartOptions & SumListedOptions,
): Promise<Export> {
  const sealed = await store.readSeal(account);
  const totals = await totalsOf(store, account, filter, options);
  const archive = await store.readArchive(account);
  const { fromMs } = timeRange(filter);
  const started: Export = {
    id: newExportId(randomBytes),
    account,
    ...request,
    filter,
    ...totals,
    seal: await sealOf(store, account, sealed, totals.asOf),
    ...archivedBefore(archive, { fromMs, timeZone: filter.timeZone }),
    startedAtMs: nowMs,
    result: null,
  };
  const limits = { expiredMs: nowMs - EXPORT_LIFETIME_MS, perAccount: mostStored };
  if (!(await store.createExport(started, limits))) throw tooManyExports('stored');
  return started;
}

/**
 * The seal at a change, from the last one that was sealed before. Damage, which "verify" names, does not keep
 * an account from its export.
 */
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

/**
 * The stored totals have neither filters with an index of their own nor days of paidAt: such transactions
 * are added up by the database, independently of reading them.
 */
async function totalsOf(
  store: ExportingStore,
  account: string,
  filter: ExportFilter,
  options: SumListedOptions,
): Promise<Totals & Pick<Export, 'created'>> {
  const paid = paidRange(filter);
  const days = { fromDay: dayOrNull(filter.from), toDay: dayOrNull(filter.to), paid: null, by: null };
  const isOfRows = ownIndexedFilterOf(filter) !== undefined;
  if (!isOfRows && paid === null)
    return { ...(await readTotals(store, { ...filter, ...days, account }, options)), created: null };
  if (!isOfRows) {
    const all = { ...NO_FILTER, account, timeZone: filter.timeZone, ...days };
    refuseTooMany(await readTotals(store, all, options), 'An export by days of paidAt compares');
  }
  // Read before the totals, so that a restore in between is noticed at the end.
  const { asOf, lastNonce } = await readLastNumber(store, account);
  const asOfId = lastNonce === null ? null : changeId(account, { sequence: asOf, nonce: lastNonce });
  const created = new CreatedDays();
  const query = { account, filter, range: timeRange(filter), paid, asOf };
  const totals = await sumAllListed(store, query, { ...options, onRead: (read) => created.add(read) });
  return { asOf, asOfId, totals, created: paid === null ? null : created.days() };
}

/** The UTC days of creation whose transactions are added up. */
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
 * Compares the last change of an export with the one that the account has at its number.
 *
 * Throws: NotInHistory: an older state of the database was restored, and its rows must not be appended to
 * those already sent.
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
