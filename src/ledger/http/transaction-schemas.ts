import { DETAIL_NAME_FORM, type Details } from '../../../values/detail-name.ts';
import { DETAIL_MAX_CHARACTERS, MAX_DETAILS } from '../../../values/interface/limits.ts';
import { type Schema, Type } from '../../http/schemas/type.ts';
import type { Transaction as CoreTransaction } from '../transaction.ts';
import {
  FIELD_LIST,
  formatTransaction,
  OPTIONAL_FIELDS,
  type ShownTransaction,
} from '../transaction-fields.ts';

export type TransactionBody = ShownTransaction;

export const detailsSchema = (
  keywords: Readonly<Record<string, unknown>>,
  type: 'object' | ['object', 'null'] = 'object',
): Schema<Details> => ({
  ...keywords,
  type,
  maxProperties: MAX_DETAILS,
  propertyNames: { pattern: DETAIL_NAME_FORM },
  additionalProperties: { type: 'string', minLength: 1, maxLength: DETAIL_MAX_CHARACTERS },
});

export const TransactionSchema = Type.Object(
  Object.fromEntries(
    FIELD_LIST.flatMap(({ name, response, example, absent, read }): [string, Schema][] => {
      if (response === undefined) return [];
      const keywords = { ...response, examples: [example] };
      if (OPTIONAL_FIELDS.some((one) => one === name))
        return [
          [
            name,
            Type.Optional<unknown>(read === undefined ? Type.String(keywords) : detailsSchema(keywords)),
          ],
        ];
      return [[name, (absent === 'null' ? Type.Nullable : Type.String)(keywords)]];
    }),
  ),
  { $id: 'Transaction', title: 'Transaction' },
) as Schema as Schema<TransactionBody>;

export const transactionBody: (transaction: CoreTransaction) => TransactionBody = formatTransaction;
