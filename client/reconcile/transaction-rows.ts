import type { Details } from '../../values/detail-name.ts';
import { FIELD_KINDS } from '../../values/interface/fields.ts';
import type { Transaction } from '../src/transaction.ts';
import {
  COMPARABLE_FIELDS,
  type ComparableField,
  type ComparedFields,
  comparedValue,
  keyOf,
  type MatchRules,
} from './compared-fields.ts';
import { dayText } from './days.ts';
import type { StagedTransaction } from './reconcile-staging.ts';
import type { Pass } from './times-form.ts';

type Values = (string | null)[];
/**
 * The values that `transactionOf` needs in addition to `key` and `content`: all details, the fields that are
 * not compared, and the exact times of fields that `content` has only as days.
 */
type Rest = [details: Details | null, ...others: Values];

export class TransactionRows {
  readonly #compared: ComparedFields;
  readonly #passes: readonly Pass[];
  readonly #restFields: readonly ComparableField[];

  readonly #rules: MatchRules;

  constructor(compared: ComparedFields, passes: readonly Pass[], rules: MatchRules) {
    this.#rules = rules;
    this.#compared = compared;
    this.#passes = passes;
    this.#restFields = COMPARABLE_FIELDS.filter(
      (field) =>
        (field === compared.key && rules.isContained === true) ||
        (field !== compared.key &&
          (!compared.fields.includes(field) || passes.some(({ days }) => days.has(field)))),
    );
  }

  rowOf(transaction: Transaction, pass: number): StagedTransaction {
    const { key, fields } = this.#compared;
    const days = this.#passes[pass]?.days;
    const content = fields.map((field) => {
      const value = comparedValue(transaction, field);
      return days?.has(field) ? dayText(value, this.#rules.timeZone) : value;
    });
    const rest: Rest = [
      transaction.details ?? null,
      ...this.#restFields.map((field) => comparedValue(transaction, field)),
    ];
    return {
      key: keyOf(transaction, key, this.#rules),
      content: JSON.stringify(content),
      rest: JSON.stringify(rest),
    };
  }

  transactionOf({ key, content, rest }: StagedTransaction): Transaction {
    const values = new Map<ComparableField, string | null>([[this.#compared.key, key]]);
    const set = (fields: readonly ComparableField[], texts: Values) => {
      for (const [at, value] of texts.entries()) values.set(fields[at] as ComparableField, value);
    };
    const [details, ...others] = JSON.parse(rest) as Rest;
    set(this.#compared.fields, JSON.parse(content) as Values);
    set(this.#restFields, others);
    const fields = COMPARABLE_FIELDS.map((field) => [field, values.get(field) ?? null] as const).filter(
      ([field, value]) => FIELD_KINDS[field] !== 'optional' || value !== null,
    );
    return { ...Object.fromEntries(fields), ...(details && { details }) } as Transaction;
  }
}
