import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import type { Logger } from 'pino';
import { type Caller, OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { FaultList, type FieldFault, type ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { faultyFields, Problem } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import type { RandomBytes } from '../../../values/reference.ts';
import type { KeyKind, Scope, ScopeOf } from '../../../values/scopes.ts';
import type { StatusNames } from '../../../values/status.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { refuseFaulty } from '../problems/problem.ts';
import type { Responses } from '../schemas/responses.ts';
import type { Schema } from '../schemas/type.ts';
import type { QueryParameters } from '../server/begin-request.ts';
import { jsonOperations, refuseBody, refuseEncoding, streamOperation } from '../server/request-bodies.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import {
  type DeclaredQuery,
  METHODS_WITHOUT_BODY,
  notFound,
  type PathParameter,
  type PathParameters,
  parametersOf,
} from './parameters.ts';

export const NDJSON = 'application/x-ndjson';

type Access<Kind extends KeyKind = KeyKind> = ScopeOf<Kind> | 'any key' | 'no key';

export interface ListenerOperation<Kind extends KeyKind = KeyKind> {
  id: string;
  path: string;
  access: Access<Kind>;
  tag: string;
  summary: string;
  description: string;
}

export interface Operation<Needs, PathName extends string = string> {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  public?: ListenerOperation<'account'>;
  operator?: ListenerOperation<'operator'>;
  /** How many requests the rate limit counts for one request of this operation. 1 by default. */
  cost?: number;
  pathParameters?: Readonly<Record<PathName, PathParameter>>;
  /** If absent, every query parameter is refused. */
  query?: DeclaredQuery | ((statuses: StatusNames) => DeclaredQuery);
  headers?: Readonly<Record<string, Schema>>;
  body?: { type: 'application/json' | typeof NDJSON; schema: Schema; isOptional?: true };
  responses: Responses | ((examplePath: string) => Responses);
  /** The errors that can't be derived from the operation's access, path, parameters and body. */
  problems?: readonly ErrorCode[];
  handler: (needs: Needs) => Handler<PathName>;
}

export type JsonBody = Record<string, unknown> | null | undefined;

export function requireBody(body: JsonBody): Record<string, unknown> {
  if (body === null || body === undefined)
    throw new Problem('invalid_body', 'The request has no body. Send a JSON object.');
  return body;
}

type OperationRequest<PathName extends string = never> = FastifyRequest<{
  Params: Readonly<Record<PathName, string>>;
  Querystring: QueryParameters;
  Body: JsonBody;
}>;

type Handler<PathName extends string = never> = (
  request: OperationRequest<PathName>,
  reply: FastifyReply,
) => unknown;

export interface Context<Port> {
  store: Port;
  now: () => number;
  monotonicMs: () => number;
  randomBytes: RandomBytes;
  logger: Logger;
  keyChecks: KeyChecks;
  requestTimeoutMs: number;
}

export const defineOperation = <Needs, PathName extends string = never>(
  operation: Operation<Needs, PathName>,
): Operation<Needs> => operation as unknown as Operation<Needs>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent only for routes with `hide`. */
    pathParameters?: PathParameters;
  }
  interface FastifyRequest {
    /** Null on routes that need no key. */
    caller: Caller | null;
  }
}

/**
 * If `scope` is null, a key needs no scope. If a key has an `accountPrefix`, the account's name must begin
 * with this prefix.
 */
export type Authenticate = (scope: Scope | null, cost?: number) => onRequestHookHandler;

/** Checks a request's key again after the request has waited. */
export interface KeyChecks {
  /** Answers from memory, so it can still admit a key that was just revoked. */
  isStillAdmitted(caller: Caller): boolean;
  /** Queries the store if the list of revoked keys is old, for example after a suspension of the process. */
  isAdmittedNow(request: FastifyRequest): boolean | Promise<boolean>;
  /** Call this after reading rows, because during the read the account can be erased and created anew. */
  requireAdmitted(request: FastifyRequest): Promise<void>;
}

export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route does not require an API key');
  return request.caller;
}

export function accountOf(request: FastifyRequest): string {
  const { account } = callerOf(request);
  return account === OPERATOR_ACCOUNT ? (request.params as { account: string }).account : account;
}

export const KEY_KINDS = { public: 'account', operator: 'operator' } as const satisfies Record<
  Listener,
  KeyKind
>;

interface AddedOperations<Needs> {
  operations: readonly Operation<Needs>[];
  listener: Listener;
  context: Needs;
  /** Null for a listener whose operations need no key. */
  admission: { authenticate: Authenticate; keyChecks: KeyChecks } | null;
}

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
    config: { pathParameters },
    ...(admitted !== null && {
      onRequest: admitted.authenticate(scope, operation.cost),
    }),
    ...(operation.body !== undefined && { preParsing: refuseEncoding }),
    preValidation: [
      ...(operation.method === 'GET' ? [refuseBody] : []),
      ...(path.includes(':') ? [checkPath(pathParameters)] : []),
      ...(operation.query === undefined ? [refuseParameters] : []),
    ],
    // A stream has no limit, because it is read line by line, and each line has a limit.
    ...(operation.body?.type === NDJSON && { bodyLimit: Number.MAX_SAFE_INTEGER }),
    handler: admitted === null ? handler : whileAdmitted(handler, operation.method, admitted.keyChecks),
  });
}

/** Runs after the key check. An invalid path gets 404, or 422 if the request would record something there. */
function checkPath(parameters: PathParameters): preValidationHookHandler {
  const declared = Object.entries(parameters);
  return (request, _reply, done) => {
    const values = request.params as Readonly<Record<string, string>>;
    const invalid = declared.filter(([name, { isValid }]) => !isValid(values[name] as string));
    const [first] = invalid;
    if (first === undefined) return done();
    if (METHODS_WITHOUT_BODY.has(request.method)) throw notFound(first[1], values[first[0]]);
    const faults = new FaultList<FieldFault>();
    for (const [name, parameter] of invalid) {
      const value = values[name] as string;
      if (parameter.explain === undefined) throw notFound(parameter, value);
      faults.add({ field: name, code: 'invalid_value', detail: parameter.explain(value) });
    }
    throw faultyFields(faults);
  };
}

const refuseParameters: preValidationHookHandler = (request, _reply, done) => {
  const query = request.query as QueryParameters;
  if (Object.keys(query).length === 0) return done();
  const faults = new FaultList<ParameterFault<'unknown_parameter'>>();
  for (const parameter in query) {
    const detail =
      mistakenPath(request.routeOptions.config.pathParameters ?? {}, request.params) ??
      `${quote(parameter)} is not a parameter. This operation has no query parameters.`;
    faults.add({ parameter, code: 'unknown_parameter', detail });
  }
  refuseFaulty(query, faults);
  done();
};

function mistakenPath(parameters: PathParameters, params: unknown): string | undefined {
  const values = params as Readonly<Record<string, string>>;
  return Object.entries(parameters)
    .map(([name, { mistaken }]) => mistaken?.(values[name] ?? ''))
    .find((detail) => detail !== undefined);
}

/**
 * If the key is revoked while a request runs, an error is sent in place of what was read. After a write, the
 * result is still sent, because the caller must know what was written.
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

declare module 'fastify' {
  interface FastifySchema {
    /** If true, no OpenAPI document contains the route. It serves, for example, a page or a file. */
    hide?: boolean;
  }
}

/** Throws for a route that is neither an operation nor hidden, because the route might not require a key. */
export function refuseOtherRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, schema, config }) => {
    if (config?.pathParameters === undefined && schema?.hide !== true)
      throw new Error(`${url} is no operation, and is not hidden from the OpenAPI document`);
  });
}
