import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { KeyKind } from '../../../values/scopes.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { Authenticate, KeyChecks } from '../access/caller.ts';
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
  /** Null for a listener whose operations take no key. */
  admission: { authenticate: Authenticate; keyChecks: KeyChecks } | null;
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
  { listener, context, admission }: AddedOperations<Needs>,
): void {
  const offer = operation[listener];
  if (offer === undefined) return;
  const { path, access } = offer;
  const pathParameters = parametersOf(path, operation.pathParameters);
  const handler = operation.handler(context) as RouteHandlerMethod;
  const scope = access === 'any key' || access === 'no key' ? null : access;
  const admitted = access === 'no key' ? null : admission;
  if (admitted === null && access !== 'no key') throw new Error(`${path} takes a key`);
  app.route({
    method: operation.method,
    url: path,
    config: { pathParameters, problemOf: operation.problemOf },
    ...(admitted !== null && {
      onRequest: admitted.authenticate(scope, operation.cost),
    }),
    ...(operation.body !== undefined && { preParsing: refuseEncoding }),
    preValidation: [
      ...(operation.method === 'GET' ? [refuseBody] : []),
      ...(path.includes(':') ? [checkPath(pathParameters)] : []),
      ...(operation.query === undefined ? [refuseParameters] : []),
    ],
    // A stream has no limit: it is read line by line, and each line has one.
    ...(operation.body?.type === NDJSON && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    handler: admitted === null ? handler : whileAdmitted(handler, operation.method, admitted.keyChecks),
  });
}

/**
 * A handler whose response is replaced by `invalid_api_key` if it says what was read of the account and the key is no longer accepted.
 * That of a change that was made stays, because its caller needs it. A response that is sent in pieces has its own checks.
 */
const whileAdmitted = (
  handler: RouteHandlerMethod,
  method: string,
  { requireAdmitted }: KeyChecks,
): RouteHandlerMethod =>
  async function handle(this: FastifyInstance, request, reply) {
    let saysWhatWasRead = false;
    try {
      const answer = await handler.call(this, request, reply);
      saysWhatWasRead = method === 'GET' && !reply.sent;
      return answer;
    } catch (error) {
      saysWhatWasRead = !(error instanceof StoreUnavailable);
      throw error;
    } finally {
      if (saysWhatWasRead) await requireAdmitted(request);
    }
  };
