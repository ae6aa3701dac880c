import {
  COMPARABLE_FIELDS,
  type ComparableField,
  type ComparedFields,
  type ShownTransaction,
} from './compared-fields.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import type { StagedTransaction } from './reconcile-staging.ts';
import type { Pass } from './times-form.ts';

type Values = (string | null)[];

/** Converts transactions into staged rows and back. */
export class TransactionRows {
  readonly #compared: ComparedFields;
  readonly #passes: readonly Pass[];
  /** The fields that are not compared, or of which a pass compares only the day. */
  readonly #restFields: readonly ComparableField[];

  constructor(compared: ComparedFields, passes: readonly Pass[]) {
    this.#compared = compared;
    this.#passes = passes;
    this.#restFields = COMPARABLE_FIELDS.filter(
      (field) =>
        field !== compared.key &&
        (!compared.fields.includes(field) || passes.some(({ days }) => days.has(field))),
    );
  }

  rowOf(transaction: ShownTransaction, pass: number): StagedTransaction {
    const { key, fields } = this.#compared;
    const days = this.#passes[pass]?.days;
    const content = fields.map((field) =>
      days?.has(field) ? (transaction[field]?.slice(0, DAY_CHARACTERS) ?? null) : transaction[field],
    );
    return {
      key: transaction[key],
      content: JSON.stringify(content),
      rest: JSON.stringify(this.#restFields.map((field) => transaction[field])),
    };
  }

  transactionOf({ key, content, rest }: StagedTransaction): ShownTransaction {
    const values = new Map<ComparableField, string | null>([[this.#compared.key, key]]);
    const set = (fields: readonly ComparableField[], texts: string) => {
      for (const [at, value] of (JSON.parse(texts) as Values).entries())
        values.set(fields[at] as ComparableField, value);
    };
    set(this.#compared.fields, content);
    set(this.#restFields, rest);
    const fields = COMPARABLE_FIELDS.map((field) => [field, values.get(field) ?? null]);
    return Object.fromEntries(fields) as ShownTransaction;
  }
}
