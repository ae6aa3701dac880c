import { knownNames } from '../../values/nearest.ts';
import { quote } from '../../values/quote.ts';
import { type KeyKind, SCOPES, type Scope, type ScopeOf } from '../../values/scopes.ts';
import { isIdentifier } from '../ledger/transaction.ts';

/**
 * The scopes of a key for which none are named. An operator's key reads only if that is said: a program that
 * records does not need it.
 */
export const DEFAULT_SCOPES: { readonly [Kind in KeyKind]: readonly ScopeOf<Kind>[] } = {
  account: ['read'],
  operator: ['record', 'keys'],
};

const isScopeOf = (kind: KeyKind) => {
  const known: readonly string[] = SCOPES[kind];
  return (name: string): name is Scope => known.includes(name);
};

/** Each scope once, in the order of SCOPES. */
const sorted = (names: readonly string[], kind: KeyKind): Scope[] =>
  SCOPES[kind].filter((scope) => names.includes(scope));

/** Scopes as a sentence lists them: "record, keys and read". */
export const listed = (scopes: readonly Scope[]): string => scopes.join(', ').replace(/, (\w+)$/, ' and $1');

/** The scopes with these names, or why they cannot be the scopes of a key. */
export function readScopes(
  names: readonly string[],
  kind: KeyKind,
): { scopes: readonly Scope[] } | { fault: string } {
  const kinds = `scopes of ${kind === 'account' ? "an account's" : "an operator's"} key`;
  if (names.length === 0) return { fault: `has no scope; the ${kinds} are ${listed(SCOPES[kind])}` };
  const unknown = names.find((name) => !isScopeOf(kind)(name));
  if (unknown !== undefined)
    return {
      fault: `has ${quote(unknown)}, which is not a scope${knownNames(unknown, SCOPES[kind], kinds)}`,
    };
  return { scopes: sorted(names, kind) };
}

/** The form in which scopes are stored. Source: RFC 6749, 3.3. */
export const storedScopes = (scopes: readonly Scope[]): string => scopes.join(' ');

/** The scopes of a stored key. A name that this version does not know allows nothing. */
export function scopesOfStored(stored: string, kind: KeyKind): readonly Scope[] {
  return sorted(stored.split(' '), kind);
}

/** Why a text can't be the prefix of accounts, or undefined if it can. */
export function explainAccountPrefix(text: string): string | undefined {
  // "." is no account, but accounts can begin with it.
  return text !== '' && (isIdentifier(text) || isIdentifier(`${text}a`))
    ? undefined
    : 'must be 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", with which the accounts begin';
}

/** True if a key with this prefix can be used for an account. */
export function isWithinPrefix(account: string, prefix: string | null): boolean {
  return prefix === null || account.startsWith(prefix);
}
