import { formatSum } from '../../../../values/amount.ts';
import { dayOrNull, formatDay, formatMonth, monthOf } from '../../../../values/calendar.ts';
import { FairSlots } from '../../../../values/fair-slots.ts';
import { FaultList, type ParameterFault } from '../../../../values/fault-list.ts';
import type { ErrorCode } from '../../../../values/interface/errors.ts';
import { nearest } from '../../../../values/nearest.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import { quote } from '../../../../values/quote.ts';
import type { StatusNames } from '../../../../values/status.ts';
import { withinTime } from '../../../../values/time-limit.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { QueryParameters } from '../../../http/server/begin-request.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import { archivedBefore } from '../../archives/archive.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { addRangeFaults, filterParameters, paidParameters } from '../../http/filter-parameters.ts';
import { lookUp } from '../../http/look-up.ts';
import { type TotalBody, TotalsSchema } from '../../http/totals-schemas.ts';
import { type ListFilter, NO_FILTER, ownIndexedFilterOf, rangeOfDays, timeRange } from '../../list/list.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import {
  type ListedSummer,
  PERIODS,
  type Period,
  type Total as SumOfTransactions,
  type TotalsQuery,
  type TotalsReader,
} from '../total.ts';
import { readTotals as readOf } from '../totals.ts';

const TOTALS_PATH = '/v1/totals';

/** How many requests at the same time may sum very many transactions. */
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

const BY_ANY = PERIODS.map((period) => `by=${period}`).join(' or ');

type TotalsFault = ParameterFault<ErrorCode>;

type TotalsRequest = Omit<TotalsQuery, 'account'>;

const PAGE_NAMES = /^(cursor|limit|page|offset|skip|size|count|after|before|page[_-]?\w+|per[_-]?page)$/i;
const BY_NAMES =
  /^((group|split)(ed)?[_-]?by|group|interval|granularity|period|per|daily|days?|monthly|months?)$/i;

export function totalsParameters(statuses: StatusNames) {
  return {
    ...filterParameters(statuses),
    ...paidParameters,
    by: {
      schema: Type.Enum([...PERIODS], {
        description: 'Totals for each day or month of createdAt; with paidFrom or paidTo, of paidAt.',
      }),
      isValid: (value: string) => PERIODS.some((period) => period === value),
      code: 'invalid_by',
      explain: explainBy,
    },
  } as const satisfies Record<string, QueryParameter>;
}

function totalsRequestReader(statuses: StatusNames) {
  const declared = totalsParameters(statuses);

  return (query: QueryParameters): TotalsRequest => {
    const faults = new FaultList<TotalsFault>();
    const { by, paidFrom, paidTo, ...sent } = readParameters(query, declared, explainName, faults);
    const filter: ListFilter = { ...NO_FILTER, ...sent };
    const { from, to, ...others } = filter;
    const own = ownIndexedFilterOf(filter);
    if (own !== undefined && by !== undefined)
      faults.add({
        parameter: 'by',
        code: 'invalid_by',
        detail: `Totals of a ${own} are not split: omit by.`,
      });
    const isByPayment = paidFrom !== undefined || paidTo !== undefined;
    const paidDays = { from: paidFrom ?? null, to: paidTo ?? null, timeZone: filter.timeZone };
    addRangeFaults(faults, { ...sent, paidFrom, paidTo });
    refuseFaulty(query, faults);
    return {
      ...others,
      fromDay: dayOrNull(from),
      toDay: dayOrNull(to),
      paid: isByPayment ? timeRange(paidDays) : null,
      by: PERIODS.find((period) => period === by) ?? null,
    };
  };
}

function explainBy(value: string): string {
  const right = `Send ${BY_ANY}, or omit by to add all days up.`;
  if (value === '') return `The value is empty. ${right}`;
  if (/currency|status/i.test(value))
    return `Totals are always of each currency and status, without ${quote(value)}. ${right}`;
  const meant = nearest(value.replace(/ly$/i, ''), PERIODS);
  if (meant !== undefined) return `${quote(value)} is not a period: did you mean ${meant}?`;
  return `${quote(value)} is not a period by which totals are split. ${right}`;
}

function explainName(name: string): string | undefined {
  if (PAGE_NAMES.test(name)) return `Totals are not divided into pages: omit ${name}.`;
  if (BY_NAMES.test(name))
    return `Omit ${name}: totals are of each currency and status. ${BY_ANY} splits them, and from and to are the days.`;
  return undefined;
}
