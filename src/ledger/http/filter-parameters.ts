import { explainDay } from '../../../values/calendar.ts';
import {
  CURRENCY_FORM,
  CURRENCY_LIST_DATE,
  explainCurrency,
  isActiveCurrency,
} from '../../../values/currency.ts';
import { parseDay } from '../../../values/days.ts';
import { explainStatus, type StatusNames } from '../../../values/status.ts';
import { explainTimeZone, isTimeZone, UTC } from '../../../values/time-zone.ts';
import type { QueryParameter } from '../../http/operations/query.ts';
import { defineProblems } from '../../http/problems/problem-kind.ts';
import { Type } from '../../http/schemas/type.ts';
import type { FilterFaultCode, ListFilter } from '../list/list-filter.ts';
import {
  explainMerchantReference,
  isMerchantReference,
  MERCHANT_REFERENCE_MAX_CHARACTERS,
} from '../transaction.ts';

export const DAY_FORM = '^\\d{4}-\\d{2}-\\d{2}$';

export const dayParameter = (description: string): QueryParameter<'invalid_date', string> => ({
  schema: Type.String({ format: 'date', description }),
  isValid: (value) => parseDay(value) !== undefined,
  fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
});

/** The filters of lists, totals, searches and exports. The range can have any length. `referenceNote` ends the description of merchantReference. */
export function filterParameters(statuses: StatusNames, { referenceNote = '' } = {}) {
  return {
    status: {
      schema: Type.Enum([...statuses.keys()], { description: 'Only transactions in this status.' }),
      isValid: (value: string) => statuses.has(value),
      fault: (value: string) => ({ code: 'invalid_status', detail: explainStatus(value, statuses) }),
    },
    currency: {
      schema: Type.String({
        pattern: CURRENCY_FORM,
        description: `Only transactions in this currency: an active code of ISO 4217 (list of ${CURRENCY_LIST_DATE}).`,
      }),
      isValid: isActiveCurrency,
      fault: (value: string) => ({ code: 'invalid_currency', detail: explainCurrency(value) }),
    },
    from: dayParameter('First day of createdAt, inclusive. Without it, the range has no start.'),
    to: dayParameter('Last day of createdAt, inclusive. Without it, the range has no end.'),
    timeZone: {
      schema: Type.String({
        default: UTC,
        description: 'The time zone whose days are meant: a name of the IANA time zone database.',
        examples: ['Europe/Berlin'],
      }),
      isValid: isTimeZone,
      fault: (value: string) => ({ code: 'invalid_time_zone', detail: explainTimeZone(value) }),
    },
    merchantReference: {
      schema: Type.String({
        minLength: 1,
        maxLength: MERCHANT_REFERENCE_MAX_CHARACTERS,
        description: `Only transactions with exactly this merchantReference.${referenceNote}`,
      }),
      isValid: isMerchantReference,
      fault: (value: string) => ({
        code: 'invalid_merchant_reference',
        detail:
          value === ''
            ? 'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.'
            : `merchantReference ${explainMerchantReference(value)}.`,
      }),
    },
  } as const satisfies Record<keyof ListFilter, QueryParameter<FilterFaultCode>>;
}

/** The days of paidAt, which searches, totals and exports have. */
export const paidParameters = {
  paidFrom: dayParameter('First day of paidAt, inclusive. What is not paid is left out.'),
  paidTo: dayParameter('Last day of paidAt, inclusive.'),
} as const;

/** The errors of filters. */
export const FILTER_PROBLEMS = defineProblems({
  invalid_status: {
    status: 400,
    title: 'The status is not recognised',
    cause: 'status is not one of the statuses of this service. It must match one exactly, in lower case.',
    solution: 'Use pending, completed, or another status that detail lists.',
  },
  invalid_currency: {
    status: 400,
    title: 'The currency is not valid',
    cause: 'currency is not an active ISO 4217 code in capital letters.',
    solution: 'Send three capital letters, for example EUR. Withdrawn codes are refused.',
  },
  invalid_date: {
    status: 400,
    title: 'The date is not valid',
    cause: 'from or to is not a real day of the calendar in the form YYYY-MM-DD.',
    solution:
      'Send the day only, for example 2026-03-31. Both bounds are inclusive. Days are UTC days unless timeZone names another time zone.',
  },
  invalid_time_zone: {
    status: 400,
    title: 'The time zone is not valid',
    cause: 'timeZone is not a name of the IANA time zone database. Capitals count.',
    solution:
      'Send a name such as Europe/Berlin, or omit timeZone for UTC days. An offset such as +01:00 is no time zone.',
  },
  date_range_too_long: {
    status: 400,
    title: 'The date range is too long',
    cause:
      'to is more than 90 days after from. Or totals by day or month of a time zone, or an export by days of paidAt, would have to read too many transactions.',
    solution:
      'Request at most 90 days at a time. detail has the latest to for your from; start the next range one day later. Or take an export, or totals, of any range. For totals of a time zone, send a shorter range, or omit timeZone. For an export by days of paidAt, send from and to, too.',
  },
  date_range_inverted: {
    status: 400,
    title: 'The date range is inverted',
    cause: 'from is after to.',
    solution: 'Send the earlier day as from. If both are the same day, the range is that whole day.',
  },
  invalid_merchant_reference: {
    status: 400,
    title: 'The merchantReference is not valid',
    cause:
      'merchantReference is empty, longer than 255 characters, or contains a character that no merchantReference can contain.',
    solution:
      'Send the whole merchantReference as it was recorded, percent-encoded. The match is exact: a part of it finds nothing.',
  },
} satisfies Record<FilterFaultCode, unknown>);
