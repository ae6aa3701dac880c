import { explainAmount, parseAmount } from './amount.ts';
import { explainTimestamp, parseTimestamp } from './calendar.ts';
import { explainCurrency, isActiveCurrency } from './currency.ts';
import { addUnknownFields, FaultList } from './fault-list.ts';
import { nearest } from './nearest.ts';
import { quote } from './quote.ts';
import { explainStatus, type Statuses } from './status.ts';
import {
  type AccountTransaction,
  explainIdentifier,
  explainMerchantReference,
  isIdentifier,
} from './transaction.ts';

/** The fields of a transaction as they are written outside, in the order of a CSV file's columns. */
export const TRANSACTION_FIELDS = [
  'account',
  'reference',
  'merchantReference',
  'status',
  'amount',
  'currencyCode',
  'paidAt',
  'createdAt',
] as const;

export type TransactionField = (typeof TRANSACTION_FIELDS)[number];

/** What is wrong with one field of a transaction, and what would be right. */
export interface FieldFault {
  field: string;
  detail: string;
}

export interface ParseRules {
  statuses: Statuses;
  /** Gives the reference of a transaction that was created at a time and came without one. */
  assignReference(createdAtMs: number): string;
}

export type ParsedTransaction = { transaction: AccountTransaction } | { faults: FaultList<FieldFault> };

const KNOWN_FIELDS: ReadonlySet<string> = new Set(TRANSACTION_FIELDS);

/**
 * A transaction from its written form: amounts and times as strings, absent or null where there is none.
 *
 * All faults are reported at once, each with its field: up to as many as a FaultList lists.
 */
export function parseTransaction(
  record: Readonly<Record<string, unknown>>,
  rules: ParseRules,
): ParsedTransaction {
  const faults = new FaultList<FieldFault>();

  const text = (field: TransactionField): string | null => {
    const value = record[field];
    if (value === undefined || value === null || typeof value === 'string') return value ?? null;
    faults.add({
      field,
      detail: `is a ${Array.isArray(value) ? 'list' : typeof value}; write it as a string`,
    });
    return null;
  };

  const required = (field: TransactionField): string | null => {
    const faultsBefore = faults.count;
    const value = text(field);
    if (value === null && faults.count === faultsBefore) faults.add({ field, detail: 'is missing' });
    return value;
  };

  addUnknownFields(record, KNOWN_FIELDS, faults, describeUnknown);

  const account = required('account');
  if (account !== null && !isIdentifier(account))
    faults.add({ field: 'account', detail: explainIdentifier(account) });

  const reference = text('reference');
  if (reference !== null && !isIdentifier(reference))
    faults.add({ field: 'reference', detail: explainIdentifier(reference) });

  const merchantReference = text('merchantReference');
  const merchantReferenceFault =
    merchantReference === null ? undefined : explainMerchantReference(merchantReference);
  if (merchantReferenceFault !== undefined)
    faults.add({ field: 'merchantReference', detail: merchantReferenceFault });

  const status = required('status');
  const paymentRule = status === null ? undefined : rules.statuses.get(status);
  if (status !== null && paymentRule === undefined)
    faults.add({ field: 'status', detail: explainStatus(status, rules.statuses) });

  const amount = required('amount');
  const amountMinor = amount === null ? undefined : parseAmount(amount);
  if (amount !== null && amountMinor === undefined)
    faults.add({ field: 'amount', detail: explainAmount(amount) });

  const currencyCode = required('currencyCode');
  if (currencyCode !== null && !isActiveCurrency(currencyCode)) {
    faults.add({ field: 'currencyCode', detail: explainCurrency(currencyCode) });
  }

  const createdAt = required('createdAt');
  const createdAtMs = createdAt === null ? undefined : parseTimestamp(createdAt);
  if (createdAt !== null && createdAtMs === undefined)
    faults.add({ field: 'createdAt', detail: explainTimestamp(createdAt) });

  const paidAt = text('paidAt');
  const paidAtMs = paidAt === null ? null : parseTimestamp(paidAt);
  if (paidAt !== null && paidAtMs === undefined)
    faults.add({ field: 'paidAt', detail: explainTimestamp(paidAt) });
  if (paymentRule === 'paid' && record['paidAt'] == null) {
    faults.add({
      field: 'paidAt',
      detail: `is missing; a transaction that is ${quote(status ?? '')} needs its time of payment`,
    });
  }
  if (paymentRule === 'unpaid' && record['paidAt'] != null) {
    faults.add({
      field: 'paidAt',
      detail: `must be empty; a transaction that is ${quote(status ?? '')} has not been paid`,
    });
  }

  if (
    faults.count > 0 ||
    account === null ||
    status === null ||
    amountMinor === undefined ||
    currencyCode === null ||
    paidAtMs === undefined ||
    createdAtMs === undefined
  ) {
    return { faults };
  }
  return {
    transaction: {
      account,
      reference: reference ?? rules.assignReference(createdAtMs),
      merchantReference,
      status,
      amountMinor,
      currencyCode,
      paidAtMs,
      createdAtMs,
    },
  };
}

function describeUnknown(field: string, isNearestSearched: boolean): FieldFault {
  const meant = isNearestSearched ? nearest(field, TRANSACTION_FIELDS) : undefined;
  return { field, detail: `is not a field of a transaction${meant ? `; did you mean ${meant}?` : ''}` };
}
