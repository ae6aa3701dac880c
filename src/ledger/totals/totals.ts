import { dayOf, dayOrNull, firstDayOf, formatDay, monthOf } from '../../../values/calendar.ts';
import { UTC } from '../../../values/time-zone.ts';
import { changeId } from '../changes/change.ts';
import { type ListFilter, NO_FILTER, ownIndexedFilterOf, type TimeRange, timeRange } from '../list/list.ts';
import { readLastNumber, readUtcTotals, sumAllListed } from './reads.ts';
import {
  type CountedTotals,
  type DaySum,
  type ListedSum,
  type ListedSummer,
  type ReadTotalsOptions,
  type Total,
  type Totals,
  type TotalsQuery,
  type TotalsReader,
  TotalsSum,
} from './total.ts';
import { readTotalsByPayment, refuseTooMany } from './totals-by-payment.ts';
import { readTotalsOfRows } from './totals-of-rows.ts';
import { readTotalsOfZone } from './totals-of-zone.ts';

/** Throws: a Problem if too much would be read; StoreUnavailable if the history was replaced. */
export async function readTotals(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions = {},
): Promise<Totals> {
  const { account, by } = query;
  const { totals, asOf, lastNonce, archive } = await readBesideArchive(reader, query, options);
  return {
    totals: by === 'month' ? totalsOfMonths(totals as DaySum[]) : totals,
    asOf,
    asOfId: idOf(account, asOf, lastNonce),
    archive,
  };
}

const idOf = (account: string, sequence: number, nonce: number | null) =>
  nonce === null ? null : changeId(account, { sequence, nonce });

/** How often totals are read at most. They are read again if transactions were archived during the read. */
const MAX_READS = 3;

async function readBesideArchive(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  for (let reads = 1; ; reads++) {
    const counted = await readCounted(reader, query, options);
    if (!isReadInSteps(query)) return counted;
    const { archive: before } = counted;
    const { archive } = await readLastNumber(reader, query.account);
    const isSame =
      archive?.beforeMs === before?.beforeMs && archive?.removedChanges === before?.removedChanges;
    if (isSame || reads === MAX_READS) return { ...counted, archive };
  }
}

async function readCounted(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { timeZone, paid } = query;
  const own = ownIndexedFilterOf(query);
  if (own !== undefined) return readTotalsOfRows(reader, query, own, options);
  if (paid !== null) {
    const all = { ...query, ...NO_FILTER, timeZone, paid: null, by: null };
    refuseTooMany(await readCounted(reader, all, options), 'Totals by days of paidAt compare');
    return readTotalsByPayment(reader, { ...query, paid }, options);
  }
  return timeZone === null || timeZone === UTC
    ? readUtcTotals(reader, query)
    : readTotalsOfZone(reader, { ...query, timeZone }, options);
}

const isReadInSteps = ({ timeZone, paid, ...filter }: TotalsQuery): boolean =>
  ownIndexedFilterOf(filter) !== undefined || paid !== null || (timeZone !== null && timeZone !== UTC);

function totalsOfMonths(days: readonly DaySum[]): Total[] {
  const sum = new TotalsSum();
  for (const total of days) sum.add({ ...total, day: firstDayOf(monthOf(total.day)) });
  return sum.list();
}

/** Returns the totals that the rows of an export must add up to. */
export async function readTotalsOfList(
  store: TotalsReader & ListedSummer,
  account: string,
  filter: ListFilter,
  paid: TimeRange | null,
  options: ReadTotalsOptions,
): Promise<Totals & { created: { from: string; to: string } | null }> {
  const days = { fromDay: dayOrNull(filter.from), toDay: dayOrNull(filter.to), paid: null, by: null };
  const isOfRows = ownIndexedFilterOf(filter) !== undefined;
  if (!isOfRows && paid === null)
    return { ...(await readTotals(store, { ...filter, ...days, account }, options)), created: null };
  if (!isOfRows) {
    const all = { ...NO_FILTER, account, timeZone: filter.timeZone, ...days };
    refuseTooMany(await readTotals(store, all, options), 'An export by days of paidAt compares');
  }
  // Reads `asOf` first, so that the export notices a restore that happens while transactions are summed.
  const { asOf, lastNonce } = await readLastNumber(store, account);
  const created = new CreatedDays();
  const query = { account, filter, range: timeRange(filter), paid, asOf };
  const totals = await sumAllListed(store, query, { ...options, onRead: (read) => created.add(read) });
  // Read after the sum, so that an archive that removes transactions during the sum is reported.
  const { archive } = await readLastNumber(store, account);
  return {
    asOf,
    asOfId: idOf(account, asOf, lastNonce),
    totals,
    archive,
    created: paid === null ? null : created.days(),
  };
}

class CreatedDays {
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  add({ created }: ListedSum): void {
    if (created === null) return;
    this.#firstMs = Math.min(this.#firstMs, created.firstMs);
    this.#lastMs = Math.max(this.#lastMs, created.lastMs);
  }

  days(): { from: string; to: string } {
    const first = this.#firstMs > this.#lastMs ? 0 : this.#firstMs;
    return { from: formatDay(dayOf(first)), to: formatDay(dayOf(Math.max(first, this.#lastMs))) };
  }
}
