import type { FastifyInstance } from 'fastify';
import { SCOPES } from '../../core/access/scopes.ts';
import { formatTimestamp } from '../../core/calendar.ts';
import { type Authenticate, callerOf } from '../access/authenticate.ts';
import { refuseParameters } from '../no-parameters.ts';
import type { QueryParameters } from '../parse-query.ts';
import { KEY_EXAMPLES } from '../reference/examples/api-keys.ts';
import { OTHER_EXAMPLES } from '../reference/examples/other-problems.ts';
import { jsonResponse, KEY_PROBLEMS, problemResponses, rateLimitHeaders } from '../schemas/responses.ts';
import { Key, type KeyBody } from '../schemas/retrieve-key.ts';
import { Type } from '../schemas/type.ts';

/** Every key of an account is admitted: a key without the scope read is also for an account. */
export function retrieveKeyRoute(app: FastifyInstance, authenticate: Authenticate<'account'>): void {
  app.get<{ Querystring: QueryParameters }>('/v1/key', {
    onRequest: authenticate(null),
    schema: {
      operationId: 'retrieveKey',
      tags: ['keys'],
      summary: 'Retrieve the key of the request',
      description: 'Which account the API key is for, what it can do, and when it ends. It needs no scope.',
      response: {
        200: jsonResponse('The key, without the secret text.', Type.Ref(Key), KEY_EXAMPLES, rateLimitHeaders),
        ...problemResponses(
          [...KEY_PROBLEMS.filter((code) => code !== 'insufficient_scope'), 'unknown_parameter'],
          {
            keysAreLimited: true,
            examples: {
              invalid_request: OTHER_EXAMPLES.noHost,
              unknown_parameter: OTHER_EXAMPLES.noParameters,
            },
          },
        ),
      },
    },
    handler: async (request): Promise<KeyBody> => {
      refuseParameters(request.query);
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
