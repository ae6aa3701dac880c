import { dayOrNull } from '../../../../values/calendar.ts';
import { FaultList } from '../../../../values/fault-list.ts';
import type { ErrorCode } from '../../../../values/interface/errors.ts';
import { nearest } from '../../../../values/nearest.ts';
import type { ParameterFault } from '../../../../values/parameter-fault.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import { quote } from '../../../../values/quote.ts';
import type { StatusNames } from '../../../../values/status.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { QueryParameters } from '../../../http/server/begin-request.ts';
import { addRangeFaults, filterParameters, paidParameters } from '../../http/filter-parameters.ts';
import { type ListFilter, NO_FILTER, ownIndexedFilterOf, timeRange } from '../../list/list.ts';
import { PERIODS, type TotalsQuery } from '../total.ts';

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

export function totalsRequestReader(statuses: StatusNames) {
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
