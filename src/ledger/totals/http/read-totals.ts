import { accountOf } from '../../../http/access/caller.ts';
import { type Context, defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { whileLong } from '../../../http/server/long-request.ts';
import { formatSum } from '../../../values/amount.ts';
import { formatDay, formatMonth } from '../../../values/calendar.ts';
import { FairPlaces } from '../../../values/fair-places.ts';
import { withinTime } from '../../../values/time-limit.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import { readTotals as readOf } from '../read-totals.ts';
import type { DaySum, ListedSummer, Total as SumOfTransactions, TotalsReader } from '../totals.ts';
import { TooManyForZone } from '../totals-of-zone.ts';
import { monthSums } from '../totals-sum.ts';
import { TOTALS_EXAMPLES } from './totals-examples.ts';
import { TOTALS_KINDS, tooManyForZone, totalsParameters, totalsRequestReader } from './totals-parameters.ts';
import { type TotalBody, Totals } from './totals-schemas.ts';

export const TOTALS_PATH = '/v1/totals';

/** For requests that add so many changes up that they take longer than others. Their reads take turns. */
const LONG_READS = 8;

export interface TotalsContext extends Context<TotalsReader & ListedSummer> {
  statuses: RecognisedStatuses;
  /** Is notified of the number of an account's changes that are not folded. */
  onUnfolded: (account: string, changes: number) => void;
}

export const readTotals = defineOperation({
  method: 'GET',
  public: {
    id: 'readTotals',
    path: TOTALS_PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Read how many transactions the account has, and their sums',
    description:
      'For each currency and status, and with by for each day or month. The range can have any length: the time of the answer ' +
      'depends on the days, and only for by with timeZone on the number of transactions. The totals are exactly those of the transactions that the changes up to asOf make.',
  },
  query: totalsParameters,
  responses: { 200: jsonResponse('The totals.', Type.Ref(Totals), TOTALS_EXAMPLES) },
  problems: Object.values(TOTALS_KINDS),
  problemOf: (error) => (error instanceof TooManyForZone ? tooManyForZone(error) : undefined),
  handler: ({ store, statuses, requestTimeoutMs, onUnfolded }: TotalsContext) => {
    const readRequest = totalsRequestReader(statuses);
    // A long read has no time limit, but each of its steps has.
    const reader: TotalsReader & ListedSummer = {
      readRollUp: (query) => store.readRollUp(query),
      sumChanges: (...range) => withinTime(store.sumChanges(...range), requestTimeoutMs),
      sumListed: (...range) => withinTime(store.sumListed(...range), requestTimeoutMs),
    };
    const longReads = new FairPlaces(LONG_READS);

    return async (request, reply) => {
      const account = accountOf(request);
      await statuses.readFor(request.query['status']);
      const { by, ...filter } = readRequest(request.query);
      const query = { account, ...filter, byDay: by !== null };
      const { totals, asOf, asOfId } = await readOf(reader, query, {
        onUnfolded: (_account, changes) => {
          request.logFields = { unfolded: changes };
          onUnfolded(account, changes);
        },
        runLong: (read) => longReads.run(account, 'totals_limit', () => whileLong(reply, read)),
      });
      const data = by === 'month' ? bodiesOfMonths(totals as DaySum[]) : totals.map(totalBody);
      request.logFields = { asOf, count: data.length, ...request.logFields };
      return { data, asOf, asOfId };
    };
  },
});

function totalBody({ day, ...sum }: SumOfTransactions): TotalBody {
  return day === null ? sumBody(sum) : { day: formatDay(day), ...sumBody(sum) };
}

/** Days are added up for each month: the stored totals of months have no part of a month, which a range can begin and end with. */
function bodiesOfMonths(days: readonly DaySum[]): TotalBody[] {
  return monthSums(days).map(({ month, ...sum }) => ({ month: formatMonth(month), ...sumBody(sum) }));
}

const sumBody = ({ currencyCode, status, count, amountMinor }: Omit<SumOfTransactions, 'day'>) => ({
  currencyCode,
  status,
  count,
  amount: formatSum(amountMinor),
});
