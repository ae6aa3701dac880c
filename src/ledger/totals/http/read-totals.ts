import { formatSum } from '../../../../values/amount.ts';
import { formatDay, formatMonth, monthOf } from '../../../../values/calendar.ts';
import { FairSlots } from '../../../../values/fair-slots.ts';
import { withinTime } from '../../../../values/time-limit.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import { archivedBefore } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { lookUp } from '../../http/look-up.ts';
import { type TotalBody, TotalsSchema } from '../../http/totals-schemas.ts';
import { rangeOfDays } from '../../list/list.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import type { ListedSummer, Period, Total as SumOfTransactions, TotalsReader } from '../total.ts';
import { readTotals as readOf } from '../totals.ts';
import { totalsParameters, totalsRequestReader } from './totals-parameters.ts';

const TOTALS_PATH = '/v1/totals';

/** How many requests may sum very many transactions at the same time. */
const LONG_READS = 8;

interface TotalsContext extends Context<TotalsReader & ListedSummer> {
  statuses: RecognisedStatuses;
}

export const readTotalsOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'readTotals',
    path: TOTALS_PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Totals',
    description:
      'Counts and sums for each currency and status, and with the parameter by also for each day or month. The range can have any length: the response time ' +
      'depends on the number of days, and with timeZone on the number of transactions in the UTC days that it splits. The totals contain exactly the changes up to asOf.',
  },
  operator: lookUp(TOTALS_PATH, {
    id: 'readAccountTotals',
    summary: 'Totals',
  }),
  pathParameters: { account: ACCOUNT },
  query: totalsParameters,
  responses: { 200: jsonResponse('The totals.', Type.Ref(TotalsSchema), EXAMPLES.totals) },
  problems: ['date_range_too_long'],
  handler: ({ store, statuses, requestTimeoutMs }: TotalsContext) => {
    const readRequest = totalsRequestReader(statuses);
    // Each step of a long read has a time limit, but the whole read has none.
    const reader: TotalsReader & ListedSummer = {
      readStoredTotals: (query) => store.readStoredTotals(query),
      readNonce: (...change) => withinTime(store.readNonce(...change), requestTimeoutMs),
      sumListed: (...range) => withinTime(store.sumListed(...range), requestTimeoutMs),
    };
    const longReads = new FairSlots(LONG_READS);

    return async (request, reply) => {
      const account = accountOf(request);
      await statuses.readFor(request.query['status']);
      const query = { account, ...readRequest(request.query) };
      const { totals, asOf, asOfId, archive } = await readOf(reader, query, {
        runLong: (work) => longReads.run(account, 'totals_limit', () => withoutTimeLimit(reply, work)),
      });
      const data = totals.map((total) => totalBody(total, query.by));
      request.logFields = { asOf, count: data.length };
      const { fromMs } = rangeOfDays(query);
      return { data, asOf, asOfId, ...archivedBefore(archive, { fromMs, timeZone: query.timeZone }) };
    };
  },
});

function totalBody(
  { day, currencyCode, status, count, amountMinor }: SumOfTransactions,
  by: Period | null,
): TotalBody {
  const amount = formatSum(amountMinor);
  return { ...periodBody(day, by), currencyCode, status, count, amount };
}

function periodBody(day: number | null, by: Period | null): Pick<TotalBody, 'day' | 'month'> {
  if (day === null) return {};
  return by === 'month' ? { month: formatMonth(monthOf(day)) } : { day: formatDay(day) };
}
