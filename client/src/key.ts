import { requestBody } from './request-body.ts';
import { isObject, isText, isTextOrNull } from './response.ts';
import type { RequestOptions, Send } from './send.ts';

export interface Key {
  account: string;
  /** The id by which the operator knows the key. It is not a secret. */
  id: string;
  kind: 'key' | 'session' | (string & {});
  /** The person who uses the session; null if the key is not a session's key. */
  person: string | null;
  /** Accept scopes that you do not know. */
  scopes: string[];
  /** The time from which the key is refused. */
  expiresAt: string | null;
}

export const fetchKey = (send: Send, options: RequestOptions): Promise<Key> =>
  requestBody(send, '/v1/key', { what: 'a key', is: isKey }, options);

const isKey = (value: unknown): value is Key =>
  isObject(value) &&
  isText(value['account']) &&
  isText(value['id']) &&
  isText(value['kind']) &&
  isTextOrNull(value['person']) &&
  Array.isArray(value['scopes']) &&
  value['scopes'].every(isText) &&
  isTextOrNull(value['expiresAt']);
