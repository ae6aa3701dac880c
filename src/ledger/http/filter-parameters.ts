import { Type } from '../../http/schemas/type.ts';
import { CURRENCY_FORM, CURRENCY_LIST_DATE } from '../../values/currency.ts';
import type { StatusNames } from '../../values/status.ts';

export const DAY_FORM = '^\\d{4}-\\d{2}-\\d{2}$';

export const dayParameter = (description: string) =>
  Type.String({ format: 'date', pattern: DAY_FORM, description });

/** The filters that the list and the totals have. The range can have any length. */
export function filterParameters(statuses: StatusNames) {
  return {
    status: Type.Optional(
      Type.Enum([...statuses.keys()], { description: 'Only transactions in this status.' }),
    ),
    currency: Type.Optional(
      Type.String({
        pattern: CURRENCY_FORM,
        description: `Only transactions in this currency: an active code of ISO 4217 (list of ${CURRENCY_LIST_DATE}).`,
      }),
    ),
    from: Type.Optional(
      dayParameter('First UTC day of createdAt, inclusive. Without it, the range has no start.'),
    ),
    to: Type.Optional(
      dayParameter('Last UTC day of createdAt, inclusive. Without it, the range has no end.'),
    ),
  };
}
