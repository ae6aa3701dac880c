import { DAY_MS, parseDay, parseTimestamp } from '../../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { quote } from '../../../values/quote.ts';
import type { KeyKind, Scope } from '../../../values/scopes.ts';
import {
  DEFAULT_SCOPES,
  explainAccountPrefix,
  explainLabel,
  isKeyId,
  readScopes,
} from '../../keys/api-key.ts';

export function ownerOf({ account, operator }: { account?: string; operator?: true }): string {
  if ((account === undefined) === (operator === undefined)) {
    throw new UsageError(
      'Add --account ID for the key of an account, or --operator for a key of the operator.',
    );
  }
  return account ?? OPERATOR_ACCOUNT;
}

export const parseText = (what: string, explain: (text: string) => string | undefined) => (text: string) => {
  const fault = explain(text);
  if (fault !== undefined) throw new UsageError(`The ${what} ${fault}.`);
  return text;
};

export const parseLabel = parseText('label', (text) => explainLabel(text));

export function parseExpiry(text: string): number {
  const day = parseDay(text);
  const expiresAtMs = day === undefined ? parseTimestamp(text) : day * DAY_MS;
  if (expiresAtMs === undefined) {
    throw new UsageError(
      `${quote(text)} is not a date. Write a UTC day as YYYY-MM-DD or a time as YYYY-MM-DDTHH:MM:SSZ.`,
    );
  }
  if (expiresAtMs <= Date.now())
    throw new UsageError(`${text} has passed. A key that expires then could never be used.`);
  return expiresAtMs;
}

export function parseScopes(text: string | undefined, kind: KeyKind): readonly Scope[] {
  if (text === undefined) return DEFAULT_SCOPES[kind];
  const names = text.split(',').map((name) => name.trim());
  const read = readScopes(
    names.filter((name) => name !== ''),
    kind,
  );
  if ('fault' in read) throw new UsageError(`--scopes ${read.fault}.`);
  return read.scopes;
}

export function parseAccountPrefix(text: string, kind: KeyKind): string {
  if (kind === 'account')
    throw new UsageError('--account-prefix is for the keys of the operator: add --operator.');
  return parseText('account prefix', explainAccountPrefix)(text);
}

export const noSuchKey = (what: string) =>
  new CommandFailed(`${what}. "transactions keys list" shows all keys.`);

/** The text is not printed, because it can be a misspelt key. */
export function parseKeyId(text: string): string {
  if (isKeyId(text)) return text;
  throw new UsageError(
    'This is not the id of a key, which is key_ and 16 characters, as "transactions keys list" shows it.',
  );
}
