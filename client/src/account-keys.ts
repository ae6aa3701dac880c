import { allItems, isPageOf, pathOfPage } from './collection.ts';
import { pathSegment } from './filters.ts';
import { checkNames } from './known-names.ts';
import { jsonBody } from './request.ts';
import { requestBody } from './request-body.ts';
import { isObject, isText, isTextOrNull } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

/** Later versions of the service may have more scopes, so accept scopes that you do not know. */
export type Scope = 'read' | 'webhooks' | (string & {});

/** A key without its secret text. */
export interface AccountKey {
  id: string;
  account: string;
  /** The beginning of the key's text, which helps to recognise a leaked key. */
  keyStart: string;
  label: string | null;
  scopes: Scope[];
  createdAt: string;
  /** The time from which the key is refused; null for never. */
  expiresAt: string | null;
}

export interface ListedKey extends AccountKey {
  state: 'active' | 'revoked' | 'expired' | (string & {});
  revokedAt: string | null;
  /** When the key was rolled. A rolled key is accepted until expiresAt. */
  rolledAt: string | null;
  /** When the key was last used, updated about once a minute. Null if it was never used. */
  lastUsedAt: string | null;
}

/** A new key with its text. No other result contains the text. */
export interface CreatedKey extends AccountKey {
  /** The secret text. The account's programs use it as the `apiKey` of a TransactionsClient. */
  key: string;
}

export interface RolledKey extends CreatedKey {
  /** The previous key, which is accepted until its expiresAt. */
  replaced: { id: string; expiresAt: string | null };
}

export interface NewKey {
  /** At most 100 characters. Default: null. */
  label?: string | null | undefined;
  /** Default: `read` alone. */
  scopes?: readonly Scope[] | undefined;
  /** A time in the future. Default: null, so that the key never expires. */
  expiresAt?: string | null | undefined;
}

export interface KeyRoll {
  /** How long the previous key is accepted: 0, or a number with s, m, h or d, at most 30d. Default: 24h. */
  grace?: string | undefined;
  /** When the new key expires; null for never. Default: the new key gets the lifetime of the previous one. */
  expiresAt?: string | null | undefined;
}

/** The operator's key needs the scope `keys`. */
export class AccountKeys {
  readonly #send: Send;
  readonly #path: string;

  constructor(send: Send, root: string) {
    this.#send = send;
    this.#path = `${root}/keys`;
  }

  /** Lists the keys, oldest first, including revoked and expired keys. */
  list(options: RequestOptions = {}): Promise<ListedKey[]> {
    const page = { what: 'a page of keys', is: isPageOf(isListedKey) };
    return allItems((cursor) => requestBody(this.#send, pathOfPage(this.#path, cursor), page, options));
  }

  /**
   * Creates a key and returns it with its secret text. If the response is lost, no second request is sent.
   * Then a key may exist whose text nobody knows. Find this key in the list by its createdAt, and revoke it.
   *
   * @example
   * const { id, key } = await platform.account('store-1').keys.create({ label: 'accounting', scopes: ['read'] });
   * console.log(`Store ${key} now: no other response has the text of ${id}.`);
   * @throws InvalidFieldsError
   */
  create(key: NewKey = {}, options: RequestOptions = {}): Promise<CreatedKey> {
    checkNames('field', key, ['label', 'scopes', 'expiresAt']);
    const call = { method: 'POST', path: this.#path, body: jsonBody(key), isRepeatable: false } as const;
    return requestBody(this.#send, call, { what: 'a new key', is: isCreatedKey }, options);
  }

  /**
   * Replaces a key by a new key with the same label and scopes. The previous key is accepted until `grace` is
   * over. If the response is lost, the request is not sent again, and nobody knows the text of the new key.
   * Find the new key in the list by its createdAt, and revoke it. Then roll the previous key again. But if
   * `grace` was '0', the previous key is already revoked and cannot be rolled, so create a key instead.
   *
   * @example const { key } = await platform.account('store-1').keys.roll(id, { grace: '1h' });
   * @throws NotFoundError
   * @throws InvalidRequestError with the code `key_not_active` if the key is revoked or has expired.
   */
  roll(id: string, roll: KeyRoll = {}, options: RequestOptions = {}): Promise<RolledKey> {
    checkNames('field', roll, ['grace', 'expiresAt']);
    const path = `${this.#pathOf(id)}/roll`;
    const call = { method: 'POST', path, body: jsonBody(roll), isRepeatable: false } as const;
    return requestBody(this.#send, call, { what: 'a rolled key', is: isRolledKey }, options);
  }

  /**
   * Revokes the key. Within a second, every instance of the service refuses it. It stays in the list.
   *
   * @throws NotFoundError
   */
  async revoke(id: string, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    await this.#send({ method: 'DELETE', path: this.#pathOf(id) }, options);
  }

  #pathOf(id: string): string {
    return `${this.#path}/${pathSegment('id', id)}`;
  }
}

const isAccountKey = (value: unknown): value is AccountKey =>
  isObject(value) &&
  ['id', 'account', 'keyStart', 'createdAt'].every((name) => isText(value[name])) &&
  ['label', 'expiresAt'].every((name) => isTextOrNull(value[name])) &&
  Array.isArray(value['scopes']) &&
  value['scopes'].every(isText);

function isListedKey(value: unknown): value is ListedKey {
  if (!isAccountKey(value)) return false;
  const { state, revokedAt, rolledAt, lastUsedAt } = value as Partial<ListedKey>;
  return isText(state) && [revokedAt, rolledAt, lastUsedAt].every(isTextOrNull);
}

const isCreatedKey = (value: unknown): value is CreatedKey =>
  isAccountKey(value) && isText((value as Partial<CreatedKey>).key);

function isRolledKey(value: unknown): value is RolledKey {
  if (!isCreatedKey(value)) return false;
  const { replaced } = value as Partial<RolledKey>;
  return isObject(replaced) && isText(replaced['id']) && isTextOrNull(replaced['expiresAt']);
}
