import { UnexpectedResponseError } from './errors.ts';
import { isObject, isText, isTextOrNull } from './response.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';

/** What the API key of a client is for. */
export interface Key {
  account: string;
  /** Identifies the key, for the operator. It is not a secret. */
  id: string;
  /** What the key can do: `read`, `webhooks`, and what later versions add. */
  scopes: string[];
  /** The time from which the key is refused, or null. */
  expiresAt: string | null;
}

export async function fetchKey(send: Send, options: RequestOptions): Promise<Key> {
  checkRequestOptions(options);
  const { body, requestId } = await send('/v1/key', options);
  if (isKey(body)) return body;
  throw new UnexpectedResponseError(`The response is not a key (request ${requestId}).`, requestId);
}

const isKey = (value: unknown): value is Key =>
  isObject(value) &&
  isText(value['account']) &&
  isText(value['id']) &&
  Array.isArray(value['scopes']) &&
  value['scopes'].every(isText) &&
  isTextOrNull(value['expiresAt']);
