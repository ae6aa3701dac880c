import { type Schema, Type } from '../../../http/schemas/type.ts';
import { COMPLETED_EXAMPLE } from '../../http/transaction-examples.ts';
import type { TransactionField } from '../../transaction.ts';

/** A transaction as the operator sends it. `parse-transaction.ts` checks it. */
export const transactionFields = {
  merchantReference: Type.Optional(Type.Nullable({ description: "The merchant's own reference, or null." })),
  status: Type.String({
    description: 'pending, completed, or a status that the operator has declared.',
    examples: ['completed'],
  }),
  amount: Type.String({
    description: 'A decimal number with at most two decimals, as a string.',
    examples: ['12.50'],
  }),
  currencyCode: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
  paidAt: Type.Optional(
    Type.Nullable({
      description:
        'Time of payment, UTC with at most milliseconds; null while the transaction has not been paid.',
    }),
  ),
  createdAt: Type.String({
    description: 'Time of creation, UTC with at most milliseconds.',
    examples: ['2026-03-31T09:30:00.000Z'],
  }),
} satisfies Record<Exclude<TransactionField, 'account' | 'reference'>, Schema>;

const { reference: _, ...EXAMPLE_FIELDS } = COMPLETED_EXAMPLE;

export const TransactionRequest = Type.Object(transactionFields, {
  $id: 'TransactionRequest',
  title: 'TransactionRequest',
  examples: [EXAMPLE_FIELDS],
});
