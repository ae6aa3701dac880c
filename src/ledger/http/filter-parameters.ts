import type { QueryParameter } from '../../http/operations/query.ts';
import { Type } from '../../http/schemas/type.ts';
import { explainDay, parseDay } from '../../values/calendar.ts';
import {
  CURRENCY_FORM,
  CURRENCY_LIST_DATE,
  explainCurrency,
  isActiveCurrency,
} from '../../values/currency.ts';
import { explainStatus, type StatusNames } from '../../values/status.ts';
import {
  explainMerchantReference,
  isMerchantReference,
  MERCHANT_REFERENCE_MAX_CHARACTERS,
} from '../transaction.ts';

export const DAY_FORM = '^\\d{4}-\\d{2}-\\d{2}$';

export const dayParameter = (description: string): QueryParameter<'invalid_date', string> => ({
  schema: Type.String({ format: 'date', pattern: DAY_FORM, description }),
  isValid: (value) => parseDay(value) !== undefined,
  fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
});

/** The filters that the list and the totals have, in the order of FILTER_PARAMETERS. The range can have any length. */
export function filterParameters(statuses: StatusNames) {
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
    from: dayParameter('First UTC day of createdAt, inclusive. Without it, the range has no start.'),
    to: dayParameter('Last UTC day of createdAt, inclusive. Without it, the range has no end.'),
  } as const satisfies Record<string, QueryParameter<'invalid_status' | 'invalid_currency' | 'invalid_date'>>;
}

export const merchantReferenceParameter = (
  description: string,
): QueryParameter<'invalid_merchant_reference', string> => ({
  schema: Type.String({ minLength: 1, maxLength: MERCHANT_REFERENCE_MAX_CHARACTERS, description }),
  isValid: isMerchantReference,
  fault: (value) => ({
    code: 'invalid_merchant_reference',
    detail:
      value === ''
        ? 'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.'
        : `merchantReference ${explainMerchantReference(value)}.`,
  }),
});
