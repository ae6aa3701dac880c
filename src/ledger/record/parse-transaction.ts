import { explainAmount, parseAmount } from '../../values/amount.ts';
import { explainTimestamp, parseTimestamp } from '../../values/calendar.ts';
import { explainCurrency, isActiveCurrency } from '../../values/currency.ts';
import { addUnknownFields, FaultList, unknownField } from '../../values/fault-list.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import { quote } from '../../values/quote.ts';
import { explainStatus, type Statuses } from '../../values/status.ts';
import {
  type AccountTransaction,
  explainIdentifier,
  explainMerchantReference,
  isIdentifier,
  isMerchantReference,
  TRANSACTION_FIELDS,
  type TransactionField,
} from '../transaction.ts';

export interface ParseRules {
  statuses: Statuses;
  /** Returns a reference for a transaction that was created at a time and has none. */
  assignReference(createdAtMs: number): string;
}

type ParsedTransaction = { transaction: AccountTransaction } | { faults: FaultList<FieldFault> };

type WrittenFields = Readonly<Record<string, unknown>>;

/** Parses the text of a field. For a faulty text, `parse` returns undefined and `explain` says why. */
interface FieldForm<Value> {
  parse(text: string): Value | undefined;
  explain(text: string): string;
}

const textForm = (
  isValid: (text: string) => boolean,
  explain: (text: string) => string,
): FieldForm<string> => ({ parse: (text) => (isValid(text) ? text : undefined), explain });

const IDENTIFIER = textForm(isIdentifier, explainIdentifier);
const MERCHANT_REFERENCE = textForm(isMerchantReference, (text) => explainMerchantReference(text) ?? '');
/** A parameter's fault is a sentence, a field's is a clause. */
const asClause = (sentence: string) => sentence.replace(/\.$/, '');
const CURRENCY = textForm(isActiveCurrency, (text) => asClause(explainCurrency(text)));
const amountIn = (currencyCode: unknown): FieldForm<number> => ({
  parse: parseAmount,
  explain: (text) => explainAmount(text, currencyCode),
});
const TIMESTAMP: FieldForm<number> = { parse: parseTimestamp, explain: explainTimestamp };

const KNOWN_FIELDS: ReadonlySet<string> = new Set(TRANSACTION_FIELDS);

/**
 * A transaction from its written form, in which amounts and times are strings. A field without a value is absent or null.
 *
 * All faults are reported together, each with its field, up to the number that a FaultList lists.
 */
export function parseTransaction(written: WrittenFields, rules: ParseRules): ParsedTransaction {
  const faults = new FaultList<FieldFault>();
  const { optional, required } = fieldReader(written, faults);
  const status = textForm(
    (text) => rules.statuses.has(text),
    (text) => asClause(explainStatus(text, rules.statuses)),
  );
  addUnknownFields(written, KNOWN_FIELDS, faults, unknownField('a transaction', TRANSACTION_FIELDS));
  const fields = {
    account: required('account', IDENTIFIER),
    reference: optional('reference', IDENTIFIER),
    merchantReference: optional('merchantReference', MERCHANT_REFERENCE),
    status: required('status', status),
    amountMinor: required('amount', amountIn(written['currencyCode'])),
    currencyCode: required('currencyCode', CURRENCY),
    createdAtMs: required('createdAt', TIMESTAMP),
    paidAtMs: optional('paidAt', TIMESTAMP),
  };
  checkTimeOfPayment(written, fields.status, rules, faults);
  if (faults.count > 0) return { faults };
  // Without a fault, every field has its value.
  const transaction = fields as WithoutUndefined<typeof fields>;
  // Assigned in place: a copy of each transaction would make an import slower.
  transaction.reference ??= rules.assignReference(transaction.createdAtMs);
  return { transaction: transaction as typeof transaction & { reference: string } };
}

type WithoutUndefined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Reads fields by their forms. A faulty field is added to `faults`, and is undefined. */
function fieldReader(written: WrittenFields, faults: FaultList<FieldFault>) {
  const optional = <Value>(field: TransactionField, form: FieldForm<Value>): Value | null | undefined => {
    const text = written[field] ?? null;
    if (text === null) return null;
    if (typeof text !== 'string') {
      const kind = Array.isArray(text) ? 'list' : typeof text;
      faults.add({ field, code: 'invalid_type', detail: `is a ${kind}; write it as a string` });
      return undefined;
    }
    const value = form.parse(text);
    if (value === undefined) faults.add({ field, code: 'invalid_value', detail: form.explain(text) });
    return value;
  };
  const required = <Value>(field: TransactionField, form: FieldForm<Value>): Value | undefined => {
    const value = optional(field, form);
    if (value !== null) return value;
    faults.add({ field, code: 'missing_field', detail: 'is missing' });
    return undefined;
  };
  return { optional, required };
}

function checkTimeOfPayment(
  { paidAt = null }: WrittenFields,
  status: string | undefined,
  { statuses }: ParseRules,
  faults: FaultList<FieldFault>,
): void {
  if (status === undefined) return;
  const rule = statuses.get(status);
  if (rule === 'paid' && paidAt === null) {
    const detail = `is missing; a transaction that is ${quote(status)} needs its time of payment`;
    faults.add({ field: 'paidAt', code: 'missing_field', detail });
  }
  if (rule === 'unpaid' && paidAt !== null) {
    const detail = `must be empty; a transaction that is ${quote(status)} has not been paid`;
    faults.add({ field: 'paidAt', code: 'contradicts_status', detail });
  }
}
