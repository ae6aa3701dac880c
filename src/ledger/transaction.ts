import { REFERENCE_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { quote } from '../../values/quote.ts';
import type { Row } from '../db/statement.ts';

/** Amounts are in hundredths, times in milliseconds since 1970-01-01T00:00:00Z. */
export interface Transaction {
  reference: string;
  merchantReference: string | null;
  status: string;
  amountMinor: number;
  currencyCode: string;
  paidAtMs: number | null;
  createdAtMs: number;
  /** The reference of another transaction of the account. For a refund, the reference of the payment. */
  relatedTo: string | null;
  /** The details of the first recording, in the text form of `details.ts`. */
  details: string | null;
  /** All details after the final change, also those of `details`. Null if that change added no details. */
  finalDetails: string | null;
  detailsRemovedAtMs: number | null;
}

export const NO_OPTIONAL_FIELDS = {
  relatedTo: null,
  details: null,
  finalDetails: null,
  detailsRemovedAtMs: null,
} as const satisfies Partial<Transaction>;

export interface AccountTransaction extends Transaction {
  account: string;
}

/** For the names of accounts and the references of transactions. `isIdentifier` also refuses `.` and `..`. */
export const IDENTIFIER_FORM = '^[A-Za-z0-9._-]{1,64}$';

const IDENTIFIER = new RegExp(IDENTIFIER_FORM);

/** Clients remove `.` and `..` from a path, so a transaction with this reference could not be retrieved. */
const DOT_SEGMENT = /^\.{1,2}$/;

export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !DOT_SEGMENT.test(text);
}

export function explainIdentifier(text: string): string {
  const form = 'write 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-"';
  if (text === '') return `is empty; ${form}`;
  if (DOT_SEGMENT.test(text)) return `is ${quote(text)}, which a URL cannot contain; ${form}`;
  if (text.length > 64 && /^[A-Za-z0-9._-]+$/.test(text)) return `has ${text.length} characters; ${form}`;
  return `${quote(text)} contains a character that is not allowed; ${form}`;
}

/** Control characters, and the replacement character that a decoder writes for bytes that are not UTF-8. */
const NOT_IN_TEXT = /[\p{Cc}\uFFFD]/u;

export function isMerchantReference(text: string): boolean {
  return explainMerchantReference(text) === undefined;
}

export function explainMerchantReference(text: string): string | undefined {
  return explainText(text, REFERENCE_MAX_CHARACTERS, 'write null for a transaction without one');
}

export function explainText(text: string, maxCharacters: number, insteadOfEmpty: string): string | undefined {
  if (text === '') return `is empty; ${insteadOfEmpty}`;
  // A text never has more characters than UTF-16 units, so characters are counted only in a long text.
  if (text.length > maxCharacters) {
    const characters = [...text].length;
    if (characters > maxCharacters)
      return `has ${characters} characters; at most ${maxCharacters} are allowed`;
  }
  if (!text.isWellFormed() || NOT_IN_TEXT.test(text)) {
    return 'contains a control character or a byte that is not UTF-8; remove it';
  }
  return undefined;
}

export type ColumnValue = string | number | null;

/** In the order of the fields in `transaction-fields.ts`. */
export const COLUMNS = {
  account: 'account',
  reference: 'reference',
  merchantReference: 'merchant_reference',
  status: 'status',
  amountMinor: 'amount_minor',
  currencyCode: 'currency_code',
  paidAtMs: 'paid_at_ms',
  createdAtMs: 'created_at_ms',
  relatedTo: 'related_to',
  details: 'details',
  finalDetails: 'final_details',
  detailsRemovedAtMs: 'details_removed_at_ms',
} as const satisfies Record<keyof AccountTransaction, string>;

type Placed = Pick<Transaction, 'createdAtMs' | 'reference'>;

export const positionOf = ({ createdAtMs, reference }: Placed): Placed => ({ createdAtMs, reference });

/** Returns a negative number if `one` comes first in a list. References are ASCII, so `>` compares bytes. */
export function compareInList(one: Placed, other: Placed): number {
  if (one.createdAtMs !== other.createdAtMs) return other.createdAtMs - one.createdAtMs;
  if (one.reference === other.reference) return 0;
  return one.reference > other.reference ? -1 : 1;
}

export const TRANSACTION_COLUMNS =
  'reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms';

/** Further values of a row can follow. */
export type TransactionRow = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
  relatedTo: string | null,
  details: string | null,
  finalDetails: string | null,
  detailsRemovedAtMs: number | null,
];

export type RecordedRow = [account: string, ...TransactionRow];

export const recordedValues = (recorded: AccountTransaction): RecordedRow => [
  recorded.account,
  recorded.reference,
  recorded.merchantReference,
  recorded.status,
  recorded.amountMinor,
  recorded.currencyCode,
  recorded.paidAtMs,
  recorded.createdAtMs,
  recorded.relatedTo,
  recorded.details,
  recorded.finalDetails,
  recorded.detailsRemovedAtMs,
];

export const transactionOf = (row: readonly [...TransactionRow, ...unknown[]]): Transaction => ({
  reference: row[0],
  merchantReference: row[1],
  status: row[2],
  amountMinor: row[3],
  currencyCode: row[4],
  paidAtMs: row[5],
  createdAtMs: row[6],
  relatedTo: row[7],
  details: row[8],
  finalDetails: row[9],
  detailsRemovedAtMs: row[10],
});

export const readTransactionRow = (row: Row): Transaction => ({
  reference: row.text(),
  merchantReference: row.textOrNull(),
  status: row.word(),
  amountMinor: row.integer(),
  currencyCode: row.word(),
  paidAtMs: row.integerOrNull(),
  createdAtMs: row.integer(),
  relatedTo: row.textOrNull(),
  details: row.textOrNull(),
  finalDetails: row.textOrNull(),
  detailsRemovedAtMs: row.integerOrNull(),
});

export const readTransactionOrNulls = (
  row: Row,
): { [Field in keyof Transaction]: Transaction[Field] | null } => ({
  reference: row.textOrNull(),
  merchantReference: row.textOrNull(),
  status: row.textOrNull(),
  amountMinor: row.integerOrNull(),
  currencyCode: row.textOrNull(),
  paidAtMs: row.integerOrNull(),
  createdAtMs: row.integerOrNull(),
  relatedTo: row.textOrNull(),
  details: row.textOrNull(),
  finalDetails: row.textOrNull(),
  detailsRemovedAtMs: row.integerOrNull(),
});

export interface StoredDetails {
  details: string | null;
  finalDetails: string | null;
  detailsRemovedAtMs: number | null;
}

export const shownDetails = ({ details, finalDetails }: StoredDetails): string | null =>
  finalDetails ?? details;
