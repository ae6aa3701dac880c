import {
  CURRENCY_FORM,
  explainAmount,
  explainCurrency,
  formatAmount,
  isActiveCurrency,
  parseAmount,
} from '../../values/amount.ts';
import { explainTimestamp, formatTimestamp, parseTimestamp, TIMESTAMP_FORM } from '../../values/calendar.ts';
import type { Details } from '../../values/detail-name.ts';
import type { FaultList, WrittenFields } from '../../values/fault-list.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import {
  type ColumnField,
  type FieldOf,
  fieldsOf,
  type ResponseField,
  type WholeField,
} from '../../values/interface/fields.ts';
import { REFERENCE_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { explainStatus, type Statuses } from '../../values/status.ts';
import { detailsOfText, readDetails } from './details.ts';
import {
  type AccountTransaction,
  explainIdentifier,
  explainMerchantReference,
  IDENTIFIER_FORM,
  isIdentifier,
  isMerchantReference,
  shownDetails,
  type Transaction,
} from './transaction.ts';

/** If `parse` returns undefined, `explain` says why. */
interface FieldForm<Value = string | number> {
  parse(text: string): Value | undefined;
  explain(text: string): string;
}

type Keywords = Readonly<Record<string, unknown>>;

/** Requests, responses, files, SQL, `verify` and `copy` are derived from these records. */
interface FieldRecord {
  /** The column of the property has the same name, with underscores. */
  property: keyof AccountTransaction;
  example?: string | Details;
  /** What a recording without the field means: a fault, a value that the service assigns, or null. */
  absent: 'fault' | 'assigned' | 'null';
  /** No other field ever changes. */
  isSetByFinalChange?: true;
  /** True if a repeated recording compares this field by a separate rule: see `record.ts`. */
  hasOwnRule?: true;
  /** The form of the field in a recording. A field without `form` and `read` cannot be recorded. */
  form?(written: WrittenFields, statuses: Statuses): FieldForm;
  read?(value: unknown, faults: FaultList<FieldFault>): string | null | undefined;
  /** JSON Schema. Absent if no response has the field. */
  response?: Keywords;
  /** JSON Schema. Absent if the body of a recording cannot have the field. */
  request?: Keywords;
}

const textForm = (isValid: (text: string) => boolean, explain: (text: string) => string) => ({
  parse: (text: string) => (isValid(text) ? text : undefined),
  explain,
});
/** The fault of a parameter is a sentence, but the fault of a field is a clause. */
export const asClause = (sentence: string) => sentence.replace(/\.$/, '');

const IDENTIFIER = textForm(isIdentifier, explainIdentifier);
const MERCHANT_REFERENCE = textForm(isMerchantReference, (text) => explainMerchantReference(text) ?? '');
const CURRENCY = textForm(isActiveCurrency, (text) => asClause(explainCurrency(text)));
const TIMESTAMP = { parse: parseTimestamp, explain: explainTimestamp };

/** In the order of the columns in CSV and SQL. */
export const FIELDS = {
  account: {
    property: 'account',
    example: 'store-1',
    absent: 'fault',
    form: () => IDENTIFIER,
  },
  reference: {
    property: 'reference',
    example: 'pay_016050',
    absent: 'assigned',
    form: () => IDENTIFIER,
    response: {
      description: 'Identifies the transaction within its account.',
      pattern: IDENTIFIER_FORM,
    },
  },
  merchantReference: {
    property: 'merchantReference',
    example: 'order-7',
    absent: 'null',
    form: () => MERCHANT_REFERENCE,
    response: {
      description: "The merchant's own reference, or null if none was recorded.",
      maxLength: REFERENCE_MAX_CHARACTERS,
    },
    request: { description: "The merchant's own reference, or null." },
  },
  status: {
    property: 'status',
    example: 'completed',
    absent: 'fault',
    isSetByFinalChange: true,
    form: (_, statuses) =>
      textForm(
        (text) => statuses.has(text),
        (text) => asClause(explainStatus(text, statuses)),
      ),
    response: {
      description:
        'pending, completed, or a status that the operator has declared. Accept values that you do not know.',
    },
    request: {
      description: 'pending, completed, or a status that the operator has declared.',
    },
  },
  amount: {
    property: 'amountMinor',
    example: '12.50',
    absent: 'fault',
    form: ({ currencyCode }) => ({
      parse: parseAmount,
      explain: (text) => explainAmount(text, currencyCode),
    }),
    response: {
      description: 'A decimal number with two decimals, for every currency. Refunds have negative amounts.',
      pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$',
    },
    request: {
      description: 'A decimal number with at most two decimals, as a string.',
    },
  },
  currencyCode: {
    property: 'currencyCode',
    example: 'EUR',
    absent: 'fault',
    form: () => CURRENCY,
    response: { description: 'ISO 4217.', pattern: CURRENCY_FORM },
    request: { description: 'ISO 4217.' },
  },
  paidAt: {
    property: 'paidAtMs',
    example: '2026-03-31T09:30:05.000Z',
    absent: 'null',
    isSetByFinalChange: true,
    form: () => TIMESTAMP,
    response: {
      description: 'Time of payment, UTC with milliseconds; null while the transaction has not been paid.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
    },
    request: {
      description:
        'Time of payment, UTC with at most milliseconds; null while the transaction has not been paid.',
    },
  },
  createdAt: {
    property: 'createdAtMs',
    example: '2026-03-31T09:30:00.000Z',
    absent: 'fault',
    form: () => TIMESTAMP,
    response: {
      description: 'Time of creation, UTC with milliseconds. It never changes, and the list is sorted by it.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
    },
    request: {
      description: 'Time of creation, UTC with at most milliseconds.',
    },
  },
  relatedTo: {
    property: 'relatedTo',
    example: 'pay_016049',
    absent: 'null',
    form: () => IDENTIFIER,
    response: {
      description: 'The reference of another transaction of the account, such as the payment of a refund.',
      pattern: IDENTIFIER_FORM,
    },
    request: { description: 'The reference of another transaction of the account, recorded or not.' },
  },
  details: {
    property: 'details',
    example: { customer: 'Ada Lovelace', last4: '4242' },
    absent: 'null',
    hasOwnRule: true,
    read: readDetails,
    response: { description: 'Texts that describe the transaction to its merchant.' },
    request: { description: 'The change that makes a transaction final can add names.' },
  },
  finalDetails: {
    property: 'finalDetails',
    absent: 'null',
    isSetByFinalChange: true,
    hasOwnRule: true,
  },
  detailsRemovedAt: {
    property: 'detailsRemovedAtMs',
    example: '2026-04-02T08:00:00.000Z',
    absent: 'null',
    hasOwnRule: true,
    form: () => TIMESTAMP,
    response: {
      description: 'When the details of the transaction were removed for good.',
      format: 'date-time',
      pattern: TIMESTAMP_FORM,
    },
  },
} as const satisfies Record<ResponseField | 'account' | 'finalDetails', FieldRecord>;

type TransactionField = keyof typeof FIELDS;

export const FIELD_LIST: readonly (FieldRecord & { name: TransactionField })[] = Object.entries(FIELDS).map(
  ([name, field]) => ({ name: name as TransactionField, ...field }),
);

export const OPTIONAL_FIELDS = fieldsOf('optional', 'details', 'removal');

export const SHOWN_FIELDS = fieldsOf('text', 'text or null');

export const TRANSACTION_FIELDS = ['account', ...SHOWN_FIELDS] as const;

export function formatTransaction(transaction: Transaction): ShownTransaction {
  const shown: ShownTransaction = {
    reference: transaction.reference,
    merchantReference: transaction.merchantReference,
    status: transaction.status,
    amount: formatAmount(transaction.amountMinor),
    currencyCode: transaction.currencyCode,
    paidAt: transaction.paidAtMs === null ? null : formatTimestamp(transaction.paidAtMs),
    createdAt: formatTimestamp(transaction.createdAtMs),
  };
  const details = shownDetails(transaction);
  if (transaction.relatedTo !== null) shown.relatedTo = transaction.relatedTo;
  if (details !== null) shown.details = detailsOfText(details);
  if (transaction.detailsRemovedAtMs !== null)
    shown.detailsRemovedAt = formatTimestamp(transaction.detailsRemovedAtMs);
  return shown;
}

export type ShownTransaction = Record<Exclude<WholeField, NullableField>, string> &
  Record<NullableField, string | null> &
  Partial<Record<ColumnField, string>> & {
    details?: Details;
    detailsRemovedAt?: string;
  };

type NullableField = FieldOf<'text or null'>;
