import { explainDay, parseDay } from '../../values/calendar.ts';
import { explainCurrency, isActiveCurrency } from '../../values/currency.ts';
import type { ParameterRule, ParameterRules } from '../../values/query-parameters.ts';
import { explainStatus, type StatusNames } from '../../values/status.ts';
import { explainMerchantReference, isMerchantReference } from '../transaction.ts';
import type { ListFault, ListFilter } from './list-filter.ts';

/** The rule of each filter, in the order of FILTER_PARAMETERS. */
export function filterRules(statuses: StatusNames) {
  const day: ParameterRule<'invalid_date'> = {
    isValid: (value) => parseDay(value) !== undefined,
    fault: (value) => ({ code: 'invalid_date', detail: explainDay(value) }),
  };
  return {
    status: {
      isValid: (value) => statuses.has(value),
      fault: (value) => ({ code: 'invalid_status', detail: explainStatus(value, statuses) }),
    },
    currency: {
      isValid: isActiveCurrency,
      fault: (value) => ({ code: 'invalid_currency', detail: explainCurrency(value) }),
    },
    from: day,
    to: day,
    merchantReference: {
      isValid: isMerchantReference,
      fault: (value) => ({ code: 'invalid_merchant_reference', detail: explainFilterValue(value) }),
    },
  } satisfies ParameterRules<keyof ListFilter, ListFault['code']>;
}

function explainFilterValue(merchantReference: string): string {
  if (merchantReference === '') {
    return 'merchantReference is empty. Send one as it was recorded, or omit it to list all transactions.';
  }
  return `merchantReference ${explainMerchantReference(merchantReference)}.`;
}
