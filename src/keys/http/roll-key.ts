import type { FastifyInstance } from 'fastify';
import { notFound, pathSchema } from '../../http/path-parameters.ts';
import { Problem } from '../../http/problems/problem.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { Type } from '../../http/schemas/type.ts';
import { BODY_PROBLEMS, operatorProblems } from '../../ledger/record/http/responses.ts';
import { rollKey } from '../roll-key.ts';
import { ROLLED_KEY_EXAMPLES } from './api-key-examples.ts';
import { RolledKey, RollRequest } from './api-key-schemas.ts';
import { createdKey, readRollRequest, timeOrNull } from './key-bodies.ts';
import type { ApiKeyDependencies } from './key-dependencies.ts';

interface Request {
  Params: { account: string; id: string };
  Body: Record<string, unknown> | null;
}

/** Replaces a key by a new one, as the command `keys roll` does. */
export function rollKeyRoute(
  app: FastifyInstance,
  { store, now, randomBytes, authenticate }: ApiKeyDependencies,
): void {
  app.post<Request>('/v1/accounts/:account/keys/:id/roll', {
    onRequest: authenticate('keys'),
    schema: {
      operationId: 'rollKey',
      tags: ['keys'],
      summary: 'Replace a key by a new one',
      description:
        'The new key has the same account, label and scopes, and is shown in this response only. The old one is accepted until the grace is over, ' +
        'on every instance, and then ends by itself. It never ends later than it would have. If the response is lost, roll the key again, ' +
        'and revoke the new key that nobody has.',
      params: pathSchema('account', 'id'),
      body: Type.Ref(RollRequest),
      response: {
        201: jsonResponse(
          'The new key, and the end of the old one.',
          Type.Ref(RolledKey),
          ROLLED_KEY_EXAMPLES,
        ),
        ...operatorProblems(...BODY_PROBLEMS, 'not_found', 'key_not_active'),
      },
    },
    handler: async (request, reply) => {
      const { account, id } = request.params;
      const wanted = readRollRequest(request.body ?? {}, now());
      const old = await store.retrieveApiKey(id);
      if (old?.account !== account) throw notFound('id');
      const rolled = await rollKey(store, old, wanted, now(), randomBytes);
      if (rolled === undefined) {
        throw new Problem(
          'key_not_active',
          'The key is revoked or has expired, so it cannot be rolled. Create a new one.',
        );
      }
      request.logFields = { newKeyId: rolled.created.id };
      const replaced = { id, expiresAt: timeOrNull(rolled.old.expiresAtMs) };
      return reply.code(201).send({ ...createdKey(rolled.created), key: rolled.key, replaced });
    },
  });
}
