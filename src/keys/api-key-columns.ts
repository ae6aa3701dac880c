import { type ColumnValue, columnOf } from '../ledger/transaction-columns.ts';
import { objectOfValues, valuesOfObject } from '../values/row-functions.ts';
import { type ApiKey, kindOfAccount } from './api-key.ts';
import { scopesOfStored, storedScopes } from './scopes.ts';

/** A key with a value for each column. */
type StoredKey = Omit<ApiKey, 'scopes'> & { scopes: string };

/** What a new key has. */
const CREATED: readonly (keyof ApiKey)[] = [
  'id',
  'account',
  'hash',
  'keyStart',
  'label',
  'scopes',
  'accountPrefix',
  'createdAtMs',
  'expiresAtMs',
];
const PROPERTIES: readonly (keyof ApiKey)[] = [
  ...CREATED,
  'revokedAtMs',
  'rolledAtMs',
  'expiresBeforeRollMs',
  'lastUsedAtMs',
];

/** The columns that `apiKeyOf` reads. */
export const API_KEY_COLUMNS = PROPERTIES.map(columnOf).join(', ');
/** The columns of a new key, in the order of `createdValues`. */
export const CREATED_COLUMNS = CREATED.map(columnOf).join(', ');

const storedKeyOf = objectOfValues<StoredKey>(PROPERTIES);
const valuesOf = valuesOfObject<StoredKey, ColumnValue>(CREATED);

export function apiKeyOf(row: readonly ColumnValue[]): ApiKey {
  const stored = storedKeyOf(row);
  return { ...stored, scopes: scopesOfStored(stored.scopes, kindOfAccount(stored.account)) };
}

export const createdValues = (key: ApiKey) => valuesOf({ ...key, scopes: storedScopes(key.scopes) });
