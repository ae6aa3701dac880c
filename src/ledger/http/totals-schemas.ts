import { CURRENCY_FORM } from '../../../values/amount.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { FIELDS } from '../transaction-fields.ts';
import { ARCHIVED_BEFORE } from './archived-before.ts';
import { DAY_FORM } from './filter-parameters.ts';

const MONTH_FORM = '^\\d{4}-(0[1-9]|1[0-2])$';

export const TotalSchema = Type.Object(
  {
    day: Type.Optional(
      Type.String({
        description: 'The day on which the transactions were created, or paid. Present with by=day.',
        format: 'date',
        pattern: DAY_FORM,
        examples: ['2026-03-31'],
      }),
    ),
    month: Type.Optional(
      Type.String({
        description: 'The month in which they were created, or paid. Present with by=month.',
        pattern: MONTH_FORM,
        examples: ['2026-03'],
      }),
    ),
    currencyCode: Type.String({ description: 'ISO 4217.', pattern: CURRENCY_FORM, examples: ['EUR'] }),
    status: Type.String({ ...FIELDS.status.response, examples: ['completed'] }),
    count: Type.Integer({ description: 'How many transactions there are.', minimum: 1, examples: [12] }),
    amount: Type.String({
      description:
        'The sum of their amounts: a decimal number with two decimals and any number of digits before the point. Read it with a decimal type.',
      pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$',
      examples: ['1024.50'],
    }),
  },
  {
    $id: 'Total',
    title: 'Total',
    description: 'The transactions of one currency and status (and day or month), added up.',
  },
);
export type TotalBody = Static<typeof TotalSchema>;

export const TotalsSchema = Type.Object(
  {
    data: Type.Array(Type.Ref(TotalSchema), {
      description:
        'In the order of day or month, currency and status. A currency and status without transactions is absent. Amounts of different currencies are never added.',
    }),
    asOf: Type.Integer({
      minimum: 0,
      description:
        'The sequence number of the last change that the totals contain: they are those of the change feed up to this number. 0 if the account has no transactions.',
      examples: [25],
    }),
    asOfId: Type.Nullable({
      description:
        'The id of the change asOf, as the change feed has it; null if asOf is 0. If the database is restored, other changes can get the same number, with other ids.',
      examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
    }),
    ...ARCHIVED_BEFORE,
  },
  { $id: 'Totals', title: 'Totals' },
);
export type TotalsBody = Static<typeof TotalsSchema>;
