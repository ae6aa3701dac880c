import {
  type ApiKey,
  explainLabel,
  hasApiKeyForm,
  isKeyId,
  isWellFormedApiKey,
  OPERATOR_ACCOUNT,
} from '../../keys/api-key.ts';
import { explainAccountPrefix, type KeyKind, readScopes, type Scope } from '../../keys/scopes.ts';
import { explainIdentifier, isIdentifier } from '../../ledger/transaction.ts';
import { DAY_MS, formatTimestamp, parseDay, parseTimestamp } from '../../values/calendar.ts';
import { UsageError } from '../../values/failure.ts';
import { quote } from '../../values/quote.ts';

export function accountOf(text: string): string {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'The value of --account is an API key. Write the id of an account, such as "store-1".',
    );
  if (!isIdentifier(text)) throw new UsageError(`The account ${explainIdentifier(text)}.`);
  return text;
}

/** The owner of a new key: exactly one of the two options is required. */
export function ownerOf({ account, operator }: { account?: string; operator?: true }): string {
  if ((account === undefined) === (operator === undefined)) {
    throw new UsageError(
      'Add --account ID for the key of an account, or --operator for a key of the operator.',
    );
  }
  return account === undefined ? OPERATOR_ACCOUNT : accountOf(account);
}

export function referenceOf(text: string): string {
  if (!isIdentifier(text)) throw new UsageError(`The reference ${explainIdentifier(text)}.`);
  return text;
}

export function labelOf(text: string): string {
  const fault = explainLabel(text);
  if (fault !== undefined) throw new UsageError(`The label ${fault}.`);
  return text;
}

export function expiryOf(text: string, nowMs: number): number {
  const day = parseDay(text);
  const expiresAtMs = day === undefined ? parseTimestamp(text) : day * DAY_MS;
  if (expiresAtMs === undefined) {
    throw new UsageError(
      `${quote(text)} is not a date. Write a UTC day as YYYY-MM-DD or a time as YYYY-MM-DDTHH:MM:SSZ.`,
    );
  }
  if (expiresAtMs <= nowMs)
    throw new UsageError(`${text} has passed. A key that expires then could never be used.`);
  return expiresAtMs;
}

/** The scopes in a list with commas. */
export function scopesOf(text: string, kind: KeyKind): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const read = readScopes(
    names.filter((name) => name !== ''),
    kind,
  );
  if ('fault' in read) throw new UsageError(`--scopes ${read.fault}.`);
  return read.scopes;
}

export function accountPrefixOf(text: string, kind: KeyKind): string {
  if (kind === 'account')
    throw new UsageError('--account-prefix is for the keys of the operator: add --operator.');
  const fault = explainAccountPrefix(text);
  if (fault !== undefined) throw new UsageError(`The account prefix ${fault}.`);
  return text;
}

/** The text is not printed: it can be a misspelt key. */
export function refuseOtherThanKeyId(text: string): void {
  if (isKeyId(text)) return;
  throw new UsageError(
    'This is not the id of a key, which is key_ and 16 characters, as "transactions keys list" shows it.',
  );
}

export const isKey = (text: string) =>
  isWellFormedApiKey(text, 'account') || isWellFormedApiKey(text, 'operator');

export function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatTimestamp(timeMs);
}

/** What a new key and a listed one have in common, as JSON. */
export function createdFields(key: ApiKey) {
  return {
    id: key.id,
    account: key.account,
    accountPrefix: key.accountPrefix,
    keyStart: key.keyStart,
    label: key.label,
    scopes: key.scopes,
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: timeOrNull(key.expiresAtMs),
  };
}
