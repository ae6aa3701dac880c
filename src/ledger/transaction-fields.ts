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
import {
  addUnknownFields,
  FaultList,
  type FieldFault,
  type WrittenFields,
  wrongType,
} from '../../values/fault-list.ts';
import {
  type ColumnField,
  type FieldOf,
  fieldsOf,
  type ResponseField,
  type WholeField,
} from '../../values/interface/fields.ts';
import { REFERENCE_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { quote } from '../../values/quote.ts';
import { explainStatus, type Statuses } from '../../values/status.ts';
import { detailsOfText, readDetails } from './details.ts';
import type { RecognisedStatuses } from './recorded-statuses.ts';
import {
  type AccountTransaction,
  type ColumnValue,
  explainIdentifier,
  explainMerchantReference,
  IDENTIFIER_FORM,
  isIdentifier,
  isMerchantReference,
  shownDetails,
  type Transaction,
} from './transaction.ts';

interface FieldForm<Value = string | number> {
  parse(text: string): Value | undefined;
  explain(text: string): string;
}

type Keywords = Readonly<Record<string, unknown>>;

interface FieldRecord {
  /** The name in the code. The column has the same name, with underscores. */
  property: keyof AccountTransaction;
  example?: string | Details;
  /** The effect of a missing field in a recording: a fault, a value that the service assigns, or null. */
  absent: 'fault' | 'assigned' | 'null';
  /** True if the final change sets this field. No other field ever changes. */
  isSetByFinalChange?: true;
  isOfDetails?: true;
  /** The form of the field in a recording. A field with neither `form` nor `read` cannot be recorded. */
  form?(written: WrittenFields, statuses: Statuses): FieldForm;
  read?(value: unknown, faults: FaultList<FieldFault>): string | null | undefined;
  /** JSON Schema. Absent if no response has the field. */
  response?: Keywords;
  request?: Keywords;
}

const textForm = (isValid: (text: string) => boolean, explain: (text: string) => string) => ({
  parse: (text: string) => (isValid(text) ? text : undefined),
  explain,
});

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
    isOfDetails: true,
    read: readDetails,
    response: { description: 'Texts that describe the transaction to its merchant.' },
    request: { description: 'The change that makes a transaction final can add names.' },
  },
  finalDetails: {
    property: 'finalDetails',
    absent: 'null',
    isSetByFinalChange: true,
    isOfDetails: true,
  },
  detailsRemovedAt: {
    property: 'detailsRemovedAtMs',
    example: '2026-04-02T08:00:00.000Z',
    absent: 'null',
    isOfDetails: true,
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

export interface ParseRules {
  statuses: Statuses;
  /** True if the transaction comes from a file, which can have fields that requests do not have. */
  isFile?: true;
  /** These statuses are accepted even if no longer declared, so that old recordings can be repeated. */
  recorded?: Pick<RecognisedStatuses, 'has'> & Partial<Pick<RecognisedStatuses, 'readFor'>>;
  assignReference(createdAtMs: number): string;
}

type ParsedTransaction = { transaction: AccountTransaction } | { faults: FaultList<FieldFault> };

const FILE_FIELDS: ReadonlySet<string> = new Set([...TRANSACTION_FIELDS, ...OPTIONAL_FIELDS]);
const REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...TRANSACTION_FIELDS,
  ...OPTIONAL_FIELDS.filter((name) => 'request' in FIELDS[name]),
]);

export function parseTransaction(
  written: WrittenFields,
  rules: ParseRules,
  faults = new FaultList<FieldFault>(),
): ParsedTransaction {
  addUnknownFields(written, rules.isFile ? FILE_FIELDS : REQUEST_FIELDS, faults, 'a transaction');
  const transaction = {} as Record<keyof AccountTransaction, ColumnValue | undefined>;
  for (const field of FIELD_LIST) transaction[field.property] = readField(field, written, rules, faults);
  checkTimeOfPayment(written, transaction.status, rules, faults);
  checkRemovedDetails(written, faults);
  checkRelatedTo(written, faults);
  if (faults.count > 0) return { faults };
  // Assigned in place, because copying each transaction would make an import slower.
  transaction.reference ??= rules.assignReference(transaction.createdAtMs as number);
  return { transaction: transaction as unknown as AccountTransaction };
}

const WRITTEN_AS: Readonly<Record<string, string>> = {
  amount: 'it as a string with two decimals, for example "12.50"',
  createdAt: 'it as a string, UTC with milliseconds, for example "2026-03-31T09:30:00.000Z"',
  paidAt: 'it as a string, UTC with milliseconds, for example "2026-03-31T09:30:00.000Z"',
};

function readField(
  { name: field, absent, form, read }: (typeof FIELD_LIST)[number],
  written: WrittenFields,
  { statuses, recorded }: ParseRules,
  faults: FaultList<FieldFault>,
): ColumnValue | undefined {
  const text = written[field] ?? null;
  if (text !== null && read !== undefined) return read(text, faults);
  if (text === null || form === undefined) {
    if (absent !== 'fault') return null;
    faults.add({ field, code: 'missing_field', detail: 'is missing' });
    return undefined;
  }
  if (typeof text !== 'string') {
    faults.add(wrongType(field, text, WRITTEN_AS[field] ?? 'it as a string'));
    return undefined;
  }
  const { parse, explain } = form(written, statuses);
  const value = parse(text) ?? (field === 'status' && recorded?.has(text) === true ? text : undefined);
  if (value === undefined) faults.add({ field, code: 'invalid_value', detail: explain(text) });
  return value;
}

function checkRemovedDetails(
  { details = null, detailsRemovedAt = null }: WrittenFields,
  faults: FaultList<FieldFault>,
): void {
  if (details === null || detailsRemovedAt === null) return;
  const detail = 'contradicts details: a transaction has no details after they were removed';
  faults.add({ field: 'detailsRemovedAt', code: 'invalid_value', detail });
}

function checkRelatedTo({ reference = null, relatedTo }: WrittenFields, faults: FaultList<FieldFault>): void {
  if (reference === null || relatedTo !== reference) return;
  const detail =
    'is the reference of the transaction itself; write the reference of another one, or leave it out';
  faults.add({ field: 'relatedTo', code: 'invalid_value', detail });
}

function checkTimeOfPayment(
  { paidAt = null }: WrittenFields,
  status: ColumnValue | undefined,
  { statuses }: ParseRules,
  faults: FaultList<FieldFault>,
): void {
  if (typeof status !== 'string') return;
  const rule = statuses.get(status);
  if (rule === 'paid' && paidAt === null) {
    const detail = `is missing; a transaction that is ${quote(status)} needs its time of payment`;
    faults.add({ field: 'paidAt', code: 'missing_field', detail });
  }
  if (rule === 'unpaid' && paidAt !== null) {
    const detail = `must be null, which CSV writes as nothing; a transaction that is ${quote(status)} has not been paid`;
    faults.add({ field: 'paidAt', code: 'contradicts_status', detail });
  }
}

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
