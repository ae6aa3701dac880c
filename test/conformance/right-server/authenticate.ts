import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { StoredKey } from './keys.ts';
import { Problem } from './problem.ts';
import type { Service } from './service.ts';

const CHALLENGE = 'Bearer realm="transactions"';

/** Returns the key of the request, if its account may call the operation. */
export function authenticateAccount(service: Service, request: IncomingMessage, scope: string): StoredKey {
  const stored = service.keys.find(readKey(request), service.now());
  if (stored === undefined) throw invalidKey();
  if (scope !== 'any key' && !stored.scopes.includes(scope)) {
    const headers = { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` };
    throw new Problem('insufficient_scope', `The API key does not have the scope ${scope}`, {}, headers);
  }
  return stored;
}

export function authenticateOperator(service: Service, request: IncomingMessage): void {
  if (!timingSafeEqual(digest(readKey(request)), digest(service.operatorKey))) throw invalidKey();
}

function readKey({ headers }: IncomingMessage): string {
  const [scheme = '', key = ''] = (headers.authorization ?? '').trim().split(/ +/);
  if (scheme.toLowerCase() === 'bearer' && key !== '') return key;
  const detail = 'Send the header Authorization: Bearer <API key>';
  throw new Problem('missing_api_key', detail, {}, { 'WWW-Authenticate': CHALLENGE });
}

/** The same for every key that is not accepted: the response does not say why. */
function invalidKey(): Problem {
  const headers = { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` };
  return new Problem('invalid_api_key', 'The API key is not valid', {}, headers);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
