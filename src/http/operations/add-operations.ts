import type { FastifyInstance } from 'fastify';
import type { KeyKind } from '../../values/scopes.ts';
import type { Authenticate } from '../access/caller.ts';
import { jsonOperations, refuseBody, refuseEncoding, streamOperation } from '../server/request-bodies.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { NDJSON, type Operation } from './operation.ts';
import { checkPath, parametersOf } from './path-parameter.ts';
import { refuseParameters } from './query.ts';

/** The kind of keys that each listener admits. */
export const KEY_KINDS = { public: 'account', operator: 'operator' } as const satisfies Record<
  Listener,
  KeyKind
>;

interface AddedOperations<Needs> {
  operations: readonly Operation<Needs>[];
  listener: Listener;
  /** What the handlers are made from. */
  context: Needs;
  authenticate: Authenticate;
}

/** Makes the routes of the operations that a listener has. */
export async function addOperations<Needs>(
  app: FastifyInstance,
  added: AddedOperations<Needs>,
): Promise<void> {
  const offered = added.operations.filter((operation) => operation[added.listener] !== undefined);
  const readingJson: Operation<Needs>[] = [];
  for (const operation of offered) {
    if (operation.body?.type === NDJSON)
      await streamOperation(app, NDJSON, (scope) => addRoute(scope, operation, added));
    else if (operation.body !== undefined) readingJson.push(operation);
    else addRoute(app, operation, added);
  }
  jsonOperations(app, (scope) => {
    for (const operation of readingJson) addRoute(scope, operation, added);
  });
}

function addRoute<Needs>(
  app: FastifyInstance,
  operation: Operation<Needs>,
  { listener, context, authenticate }: AddedOperations<Needs>,
): void {
  const offer = operation[listener];
  if (offer === undefined) return;
  const { path, access } = offer;
  const pathParameters = parametersOf(path, operation.pathParameters);
  app.route({
    method: operation.method,
    url: path,
    config: { pathParameters, problemOf: operation.problemOf },
    ...(access !== 'no key' && {
      onRequest: authenticate(access === 'any key' ? null : access, operation.cost),
    }),
    ...(operation.body !== undefined && { preParsing: refuseEncoding }),
    preValidation: [
      ...(operation.method === 'GET' ? [refuseBody] : []),
      ...(path.includes(':') ? [checkPath(pathParameters)] : []),
      ...(operation.query === undefined ? [refuseParameters] : []),
    ],
    // A stream has no limit: it is read line by line, and each line has one.
    ...(operation.body?.type === NDJSON && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    handler: operation.handler(context) as Parameters<FastifyInstance['route']>[0]['handler'],
  });
}
