import { DAY_MS } from '../../../values/calendar.ts';
import { faultyParameter } from '../../../values/problem.ts';
import { dayOfZone, UTC } from '../../../values/time-zone.ts';
import { equalityOf, rangeOfDays, type TimeRange } from '../list/list.ts';
import { readLastNumber, requireSameHistory, sumAllListed } from './reads.ts';
import type {
  CountedTotals,
  ListedSummer,
  ReadTotalsOptions,
  Total,
  Totals,
  TotalsQuery,
  TotalsReader,
} from './total.ts';

/** A request that would read more rows is refused. No index begins with paidAt, so this many take seconds. */
export const MAX_COMPARED_BY_PAYMENT = 2_000_000;

/** Since 1980, the day of every time zone begins at :00, :15, :30 or :45 UTC. Before, at any second. */
const ZONE_PARTS_MS = [900_000, 1000];

export function refuseTooMany({ totals }: Pick<Totals, 'totals'>, beginning: string): void {
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
export async function readTotalsByPayment(
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
