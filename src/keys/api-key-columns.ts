import { type ColumnValue, columnOf } from '../ledger/transaction-columns.ts';
import { OPERATOR_ACCOUNT } from '../values/caller.ts';
import { objectOfValues, valuesOfObject } from '../values/row-functions.ts';
import { type ApiKey, earlier, kindOfAccount, type SessionPart } from './api-key.ts';
import { scopesOfStored, storedScopes } from './scopes.ts';

/** A key with a value for each column. The columns of a session are null for others. */
type StoredKey = Omit<ApiKey, 'scopes' | 'session'> & {
  scopes: string;
  kind: 'key' | 'session';
} & { [Name in keyof SessionPart]: SessionPart[Name] | null };

/** What a new key has. */
const CREATED: readonly (keyof StoredKey)[] = [
  'id',
  'account',
  'kind',
  'hash',
  'keyStart',
  'label',
  'scopes',
  'accountPrefix',
  'createdAtMs',
  'expiresAtMs',
  'person',
  'reason',
  'codeExpiresAtMs',
  'madeBy',
];
const PROPERTIES: readonly (keyof StoredKey)[] = [
  ...CREATED,
  'openedAtMs',
  'revokedAtMs',
  'rolledAtMs',
  'expiresBeforeRollMs',
  'lastUsedAtMs',
];

/** The columns that `apiKeyOf` reads. */
export const API_KEY_COLUMNS = PROPERTIES.map(columnOf).join(', ');
/** The columns of a new key, in the order of `newKeyValues`. */
export const NEW_KEY_COLUMNS = CREATED.map(columnOf).join(', ');
export const CREATED_COUNT = CREATED.length;

const storedKeyOf = objectOfValues<StoredKey>(PROPERTIES);
const valuesOf = valuesOfObject<StoredKey, ColumnValue>(CREATED);
const NO_SESSION = { person: null, reason: null, codeExpiresAtMs: null, openedAtMs: null, madeBy: null };

export function apiKeyOf(row: readonly ColumnValue[]): ApiKey {
  const { kind, scopes, person, reason, codeExpiresAtMs, openedAtMs, madeBy, ...stored } = storedKeyOf(row);
  return {
    ...stored,
    scopes: scopesOfStored(scopes, kindOfAccount(stored.account)),
    session:
      kind === 'session' ? ({ person, reason, codeExpiresAtMs, openedAtMs, madeBy } as SessionPart) : null,
  };
}

export const newKeyValues = ({ session, ...key }: ApiKey) =>
  valuesOf({
    ...key,
    scopes: storedScopes(key.scopes),
    kind: session === null ? 'key' : 'session',
    ...(session ?? NO_SESSION),
  });

/**
 * Selects keys `k`, each with the end of the operator's key that made it. So a session ends with that key, in whatever order the two
 * are read and written.
 */
export const SELECT_BOUNDED = `SELECT ${PROPERTIES.map((name) => `k.${columnOf(name)}`).join(', ')}, maker.id, maker.revoked_at_ms, maker.expires_at_ms
    FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '${OPERATOR_ACCOUNT}' AND maker.id = k.made_by`;

/** The key of a row of SELECT_BOUNDED. */
export function boundedKeyOf(row: readonly ColumnValue[]): ApiKey {
  const key = apiKeyOf(row);
  if ((key.session?.madeBy ?? null) === null) return key;
  const [makerId, revokedAtMs, expiresAtMs] = row.slice(PROPERTIES.length) as [
    string | null,
    number | null,
    number | null,
  ];
  return {
    ...key,
    // Without the key that made it, nothing bounds a session: it is refused.
    revokedAtMs: earlier(key.revokedAtMs, makerId === null ? key.createdAtMs : revokedAtMs),
    expiresAtMs: earlier(key.expiresAtMs, expiresAtMs),
  };
}
