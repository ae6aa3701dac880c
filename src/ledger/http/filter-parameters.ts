import {
  CURRENCY_FORM,
  CURRENCY_LIST_DATE,
  explainCurrency,
  isActiveCurrency,
} from '../../../values/amount.ts';
import { explainDay, parseDay } from '../../../values/calendar.ts';
import type { FaultList, ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { REFERENCE_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { explainStatus, type StatusNames } from '../../../values/status.ts';
import { explainTimeZone, isTimeZone, UTC } from '../../../values/time-zone.ts';
import type { QueryParameter } from '../../http/operations/parameters.ts';
import { Type } from '../../http/schemas/type.ts';
import { checkRangeOrder, type ListFilter } from '../list/list.ts';
import { explainMerchantReference, isMerchantReference } from '../transaction.ts';

export const DAY_FORM = '^\\d{4}-\\d{2}-\\d{2}$';

export const dayParameter = (description: string): QueryParameter<string> => ({
  schema: Type.String({ format: 'date', description }),
  isValid: (value) => parseDay(value) !== undefined,
  code: 'invalid_date',
  furtherCodes: ['date_range_inverted'],
  explain: explainDay,
});

export function filterParameters(statuses: StatusNames, { referenceNote = '' } = {}) {
  return {
    status: {
      schema: Type.Enum([...statuses.keys()], { description: 'Only transactions in this status.' }),
      isValid: (value: string) => statuses.has(value),
      code: 'invalid_status',
      explain: (value: string) => explainStatus(value, statuses),
    },
    currency: {
      schema: Type.String({
        pattern: CURRENCY_FORM,
        description: `Only transactions in this currency: an active code of ISO 4217 (list of ${CURRENCY_LIST_DATE}).`,
      }),
      isValid: isActiveCurrency,
      code: 'invalid_currency',
      explain: explainCurrency,
    },
    from: dayParameter('First day of createdAt, inclusive. Without it, the range has no start.'),
    to: dayParameter('Last day of createdAt, inclusive. Without it, the range has no end.'),
    timeZone: {
      schema: Type.String({
        default: UTC,
        description: 'The time zone of the days: a name of the IANA time zone database.',
        examples: ['Europe/Berlin'],
      }),
      isValid: isTimeZone,
      code: 'invalid_time_zone',
      explain: explainTimeZone,
    },
    merchantReference: {
      schema: Type.String({
        minLength: 1,
        maxLength: REFERENCE_MAX_CHARACTERS,
        description: `Only transactions with exactly this merchantReference.${referenceNote}`,
      }),
      isValid: isMerchantReference,
      code: 'invalid_merchant_reference',
      explain: (value: string) =>
        value === ''
          ? 'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.'
          : `merchantReference ${explainMerchantReference(value)}.`,
    },
  } as const satisfies Record<keyof ListFilter, QueryParameter>;
}

export const paidParameters = {
  paidFrom: dayParameter('First day of paidAt, inclusive. Transactions that are not paid are left out.'),
  paidTo: dayParameter('Last day of paidAt, inclusive.'),
} as const;

export function addRangeFaults(
  faults: FaultList<ParameterFault<ErrorCode>>,
  { from = null, to = null, paidFrom = null, paidTo = null }: SentDays,
): void {
  const paid = { from: paidFrom, to: paidTo };
  for (const fault of [checkRangeOrder({ from, to }), checkRangeOrder(paid, ['paidFrom', 'paidTo'])])
    if (fault !== undefined) faults.add(fault);
}

type SentDays = { [Name in 'from' | 'to' | keyof typeof paidParameters]?: string | null | undefined };
