import { addUnknownFields, FaultList, type WrittenFields, wrongType } from '../../values/fault-list.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import { quote } from '../../values/quote.ts';
import type { Statuses } from '../../values/status.ts';
import type { RecognisedStatuses } from './recorded-statuses.ts';
import type { AccountTransaction, ColumnValue } from './transaction.ts';
import { FIELD_LIST, FIELDS, OPTIONAL_FIELDS, TRANSACTION_FIELDS } from './transaction-fields.ts';

export interface ParseRules {
  statuses: Statuses;
  /** True if the transaction comes from a file, which can have fields that requests do not have. */
  isFile?: true;
  /** Also has statuses that are no longer declared, because recordings with them can be repeated. */
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

/** After details were removed, a file has the time of their removal instead of the details. */
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
