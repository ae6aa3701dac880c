import { IDENTIFIER_FORM, MERCHANT_REFERENCE_MAX_CHARACTERS } from '../../ledger/transaction.ts';
import { MAX_AMOUNT_MINOR } from '../../values/amount.ts';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../values/calendar.ts';
import { CURRENCY_FORM } from '../../values/currency.ts';
import { quote } from '../../values/quote.ts';
import { PENDING, STATUS_FORM } from '../../values/status.ts';
import { STORED_FIELDS } from '../stored-rows.ts';
import type { StoredField, StoredRow } from './verify-reader.ts';

/** What a row has, and what it should have. */
export interface RowFault {
  found: string;
  expected: string;
}

const IDENTIFIER = new RegExp(IDENTIFIER_FORM);
const STATUS = new RegExp(STATUS_FORM);
const CURRENCY = new RegExp(CURRENCY_FORM);

export const isStoredIdentifier = (text: unknown): text is string =>
  typeof text === 'string' && IDENTIFIER.test(text);

const isWithin = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

export const isStoredTime = (value: unknown): value is number =>
  isWithin(value, FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS);

const isSequence = (value: unknown): value is number => isWithin(value, 1, Number.MAX_SAFE_INTEGER);

function isMerchantReferenceLength(text: string): boolean {
  // A character is one or two UTF-16 units.
  if (text.length > MERCHANT_REFERENCE_MAX_CHARACTERS)
    return [...text].length <= MERCHANT_REFERENCE_MAX_CHARACTERS;
  return text.length > 0;
}

interface Form {
  isValid: (value: never) => boolean;
  expected: string;
}

const NUMBER: Form = {
  isValid: (value: number | null) => value === null || isSequence(value),
  expected: 'a number of at least 1, or null',
};
const TIME: Form = {
  isValid: (value: number | null) => value === null || isStoredTime(value),
  expected: 'a time in the years 1 to 9999, or null',
};

/** The rule of each field, and what it should be. */
const FORMS: Readonly<Record<StoredField, Form>> = {
  reference: {
    isValid: isStoredIdentifier,
    expected: '1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-"',
  },
  createdAtMs: { isValid: isStoredTime, expected: 'a time in the years 1 to 9999' },
  merchantReference: {
    isValid: (text: string | null) => text === null || isMerchantReferenceLength(text),
    expected: `1 to ${MERCHANT_REFERENCE_MAX_CHARACTERS} characters, or null`,
  },
  status: {
    isValid: (text: string | null) => text !== null && STATUS.test(text),
    expected: 'a lower-case name of at most 32 characters',
  },
  amountMinor: {
    isValid: (value: number | null) => isWithin(value, -MAX_AMOUNT_MINOR, MAX_AMOUNT_MINOR),
    expected: `a whole number from -${MAX_AMOUNT_MINOR} to ${MAX_AMOUNT_MINOR}`,
  },
  currencyCode: {
    isValid: (text: string | null) => text !== null && CURRENCY.test(text),
    expected: 'three upper-case letters',
  },
  paidAtMs: TIME,
  pendingSequence: NUMBER,
  pendingRecordedAtMs: TIME,
  pendingNonce: NUMBER,
  finalSequence: NUMBER,
  finalRecordedAtMs: TIME,
  finalNonce: NUMBER,
};

export const show = (value: unknown): string => (typeof value === 'string' ? quote(value) : String(value));

/** What is wrong with a row by itself. */
export function checkRow(row: StoredRow): RowFault[] {
  const faults: RowFault[] = [];
  for (const field of STORED_FIELDS) {
    const { isValid, expected } = FORMS[field];
    if (!isValid(row[field] as never)) faults.push({ found: `${field} ${show(row[field])}`, expected });
  }
  const { status, paidAtMs, pendingSequence, finalSequence } = row;
  if (status === PENDING && paidAtMs !== null)
    faults.push({ found: 'the status pending with paidAtMs', expected: 'no paidAtMs while it is pending' });
  if (status === 'completed' && paidAtMs === null)
    faults.push({ found: 'the status completed without paidAtMs', expected: 'paidAtMs, as it is completed' });
  if (status === PENDING && finalSequence !== null)
    faults.push({
      found: `the status pending with finalSequence ${finalSequence}`,
      expected: 'no finalSequence while it is pending',
    });
  const lastSequence = status === PENDING ? pendingSequence : finalSequence;
  if (lastSequence === null)
    faults.push({
      found: `the status ${status} without ${status === PENDING ? 'pendingSequence' : 'finalSequence'}`,
      expected: 'the sequence number of the change',
    });
  if (pendingSequence !== null && finalSequence !== null && pendingSequence >= finalSequence)
    faults.push({
      found: `pendingSequence ${pendingSequence} and finalSequence ${finalSequence}`,
      expected: 'a smaller pendingSequence than finalSequence',
    });
  for (const change of ['pending', 'final'] as const) {
    const sequence = row[`${change}Sequence`];
    for (const field of [`${change}RecordedAtMs`, `${change}Nonce`] as const) {
      if ((sequence === null) === (row[field] === null)) continue;
      faults.push({
        found: `${change}Sequence ${sequence} with ${field} ${row[field]}`,
        expected: 'both or neither',
      });
    }
  }
  return faults;
}
