import { type Schema, type Static, Type } from '../../http/schemas/type.ts';
import { CURRENCY_FORM } from '../../values/currency.ts';
import {
  type Transaction as CoreTransaction,
  formatTransaction,
  IDENTIFIER_FORM,
  MERCHANT_REFERENCE_MAX_CHARACTERS,
  type TransactionField,
} from '../transaction.ts';

export const TIMESTAMP_FORM = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

export const Transaction = Type.Object(
  {
    reference: Type.String({
      description: 'Identifies the transaction within its account.',
      pattern: IDENTIFIER_FORM,
      examples: ['pay_016050'],
    }),
    merchantReference: Type.Nullable({
      description: "The merchant's own reference, or null if none was recorded.",
      maxLength: MERCHANT_REFERENCE_MAX_CHARACTERS,
      examples: ['order-7'],
    }),
    status: Type.String({
      description:
        'pending, completed, or a status that the operator has declared. Accept values that you do not know.',
      examples: ['completed'],
    }),
    amount: Type.String({
      description: 'A decimal number with two decimals, for every currency.',
      pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$',
      examples: ['12.50'],
    }),
    currencyCode: Type.String({ description: 'ISO 4217.', pattern: CURRENCY_FORM, examples: ['EUR'] }),
    paidAt: Type.Nullable({
      description: 'Time of payment, UTC with milliseconds; null while the transaction has not been paid.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
      examples: ['2026-03-31T09:30:05.000Z'],
    }),
    createdAt: Type.String({
      description: 'Time of creation, UTC with milliseconds. It never changes, and the list is sorted by it.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
      examples: ['2026-03-31T09:30:00.000Z'],
    }),
  } satisfies Record<Exclude<TransactionField, 'account'>, Schema>,
  { $id: 'Transaction', title: 'Transaction' },
);
export type TransactionBody = Static<typeof Transaction>;

/** A transaction as the body of a response. */
export const transactionBody: (transaction: CoreTransaction) => TransactionBody = formatTransaction;
