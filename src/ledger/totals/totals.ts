import { DAY_MS, dayOf, dayOrNull, firstDayOf, formatDay, monthOf } from '../../../values/calendar.ts';
import type { OwnIndexedFilter } from '../../../values/interface/filters.ts';
import { faultyParameter } from '../../../values/problem.ts';
import { dayOfZone, UTC } from '../../../values/time-zone.ts';
import { changeId } from '../changes/change.ts';
import {
  equalityOf,
  type ListFilter,
  NO_FILTER,
  ownIndexedFilterOf,
  rangeOfDays,
  type TimeRange,
  timeRange,
} from '../list/list.ts';
import { readLastNumber, readUtcTotals, requireSameHistory, sumAllListed } from './reads.ts';
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
  // Reads the archive last, so that the export reports days that are archived during the sum.
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

export const MAX_SUMMED_ROWS = 10_000;

/** Throws: a Problem if there are too many transactions; StoreUnavailable if the history was replaced. */
async function readTotalsOfRows(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery,
  own: OwnIndexedFilter,
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { account, status, currency, paid } = query;
  const last = await readLastNumber(reader, account);
  // Selects every status and currency, so that `rows` below counts all rows that are read.
  const filter = { ...equalityOf(query), status: null, currency: null };
  const listed = { account, filter, range: rangeOfDays(query), asOf: last.asOf };
  let rows = 0;
  const onRead = ({ totals: read }: ListedSum) => {
    for (const { count } of read) rows += count;
    if (rows > MAX_SUMMED_ROWS)
      throw faultyParameter({
        parameter: own,
        code: 'date_range_too_long',
        detail:
          `More than ${MAX_SUMMED_ROWS} transactions in the range have this ${own}, and they are summed one by one. ` +
          'Send a shorter range, or export the transactions.',
      });
  };
  const all = await sumAllListed(reader, { ...listed, paid: null }, { ...options, onRead });
  const totals = paid === null ? all : await sumAllListed(reader, { ...listed, paid }, options);
  await requireSameHistory(reader, account, last);
  const isQueried = (total: { status: string; currencyCode: string }) =>
    (status === null || total.status === status) && (currency === null || total.currencyCode === currency);
  return { ...last, totals: totals.filter(isQueried) };
}

/** A request may read at most this many rows, which takes seconds, because no index begins with paidAt. */
export const MAX_COMPARED_BY_PAYMENT = 2_000_000;

/** Since 1980, days in every time zone begin at :00, :15, :30 or :45 UTC; before 1980, at any second. */
const ZONE_PARTS_MS = [900_000, 1000];

function refuseTooMany({ totals }: Pick<Totals, 'totals'>, beginning: string): void {
  const transactions = totals.reduce((sum, { count }) => sum + count, 0);
  if (transactions > MAX_COMPARED_BY_PAYMENT)
    throw faultyParameter({
      parameter: 'paidFrom',
      code: 'date_range_too_long',
      detail:
        `${beginning} at most ${MAX_COMPARED_BY_PAYMENT} transactions, and there are ${transactions}. ` +
        'Send from and to, too: days on which all of the transactions were created.',
    });
}

/** Call `refuseTooMany` first. Throws: StoreUnavailable if a failover or a restore replaced the history. */
async function readTotalsByPayment(
  reader: TotalsReader & ListedSummer,
  query: TotalsQuery & { paid: TimeRange },
  options: ReadTotalsOptions,
): Promise<CountedTotals> {
  const { account, timeZone, paid, by } = query;
  const last = await readLastNumber(reader, account);
  const listed = { account, filter: equalityOf(query), range: rangeOfDays(query), asOf: last.asOf };
  const sumParts = async ([partMs, ...shorter]: readonly number[]): Promise<Total[]> => {
    let isDivided = false;
    const dayOfPart = (startMs: number) => {
      const day = dayOfZone(timeZone, startMs);
      isDivided ||= shorter.length > 0 && dayOfZone(timeZone, startMs + (partMs as number) - 1) !== day;
      return day;
    };
    const totals = await sumAllListed(
      reader,
      { ...listed, paid: { ...paid, partMs } },
      { ...options, dayOfPart },
    );
    return isDivided ? sumParts(shorter) : totals;
  };
  const totals = await sumParts(
    by === null ? [] : timeZone === null || timeZone === UTC ? [DAY_MS] : ZONE_PARTS_MS,
  );
  await requireSameHistory(reader, account, last);
  return { ...last, totals };
}
