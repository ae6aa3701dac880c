import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../http/access/authenticate.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import { SCOPES } from '../scopes.ts';
import { KEY_EXAMPLES } from './api-key-examples.ts';
import { Key, type KeyBody } from './retrieve-key-schemas.ts';

/** Every key of an account is admitted: a key without the scope read is also for an account. */
export function retrieveKeyRoute(app: FastifyInstance, authenticate: Authenticate<'account'>): void {
  app.get('/v1/key', {
    onRequest: authenticate(null),
    schema: {
      operationId: 'retrieveKey',
      tags: ['keys'],
      summary: 'Retrieve the key of the request',
      description: 'Which account the API key is for, what it can do, and when it ends. It needs no scope.',
      response: {
        200: jsonResponse('The key, without the secret text.', Type.Ref(Key), KEY_EXAMPLES, rateLimitHeaders),
        ...problemResponses(
          KEY_PROBLEMS.filter((code) => code !== 'insufficient_scope'),
          { keysAreLimited: true },
        ),
      },
    },
    handler: async (request): Promise<KeyBody> => {
      const { account, keyId, scopes, expiresAtMs } = callerOf(request);
      return {
        account,
        id: keyId,
        scopes: SCOPES.account.filter((scope) => scopes.includes(scope)),
        expiresAt: expiresAtMs === null ? null : formatTimestamp(expiresAtMs),
      };
    },
  });
}
