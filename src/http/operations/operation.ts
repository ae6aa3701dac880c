import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { RandomBytes } from '../../../values/reference.ts';
import type { KeyKind, ScopeOf } from '../../../values/scopes.ts';
import type { StatusNames } from '../../../values/status.ts';
import type { KeyChecks } from '../access/caller.ts';
import type { QueryParameters } from '../parse-query.ts';
import { Problem } from '../problems/problem.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { Responses } from '../schemas/responses.ts';
import type { Schema } from '../schemas/type.ts';
import type { PathParameter, PathParameters } from './path-parameter.ts';
import type { DeclaredQuery } from './query.ts';

export const NDJSON = 'application/x-ndjson';

/** What an operation requires: a key with a scope, any key of the listener's kind, or no key. */
type Access<Kind extends KeyKind = KeyKind> = ScopeOf<Kind> | 'any key' | 'no key';

/** An operation as one listener has it. */
export interface ListenerOperation<Kind extends KeyKind = KeyKind> {
  id: string;
  path: string;
  access: Access<Kind>;
  tag: string;
  summary: string;
  description: string;
}

/**
 * An operation of the interface, declared once. Its route, what it requires of a key, the checks of its path, its description in the
 * OpenAPI document and its log line follow from this.
 */
export interface Operation<Needs, PathName extends string = string> {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  public?: ListenerOperation<'account'>;
  /** For the keys of the operator. An account is named by the path then. */
  operator?: ListenerOperation<'operator'>;
  /** How many requests it counts as for the rate limit; 1 if absent. */
  cost?: number;
  pathParameters?: Readonly<Record<PathName, PathParameter>>;
  /** Absent if every query is refused. */
  query?: DeclaredQuery | ((statuses: StatusNames) => DeclaredQuery);
  headers?: Readonly<Record<string, Schema>>;
  /** NDJSON is a stream of any length. */
  body?: { type: 'application/json' | typeof NDJSON; schema: Schema; isOptional?: true };
  /** The responses by status. `path` has an example of each parameter. */
  responses: Responses | ((path: string) => Responses);
  /** The errors that do not follow from its key, path, query and body. */
  problems?: readonly ProblemKind[];
  /** The problem of an error that its rules throw; undefined for any other error. */
  problemOf?: (error: unknown) => Problem | undefined;
  /** Makes what runs, once at the start. */
  handler: (needs: Needs) => Handler<PathName>;
}

export type JsonBody = Record<string, unknown> | null | undefined;

/** Throws: `invalid_body` without a body. */
export function requireBody(body: JsonBody): Record<string, unknown> {
  if (body === null || body === undefined)
    throw new Problem(PROBLEMS.invalid_body, 'The request has no body. Send a JSON object.');
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

/** What every handler can be made from; `Port` is what it needs of the store. */
export interface Context<Port> {
  store: Port;
  now: () => number;
  /** Milliseconds that only ever grow. */
  monotonicMs: () => number;
  randomBytes: RandomBytes;
  logger: Logger;
  keyChecks: KeyChecks;
  requestTimeoutMs: number;
}

/** Declares an operation. The names of its path parameters are known to its handler. */
export const defineOperation = <Needs, PathName extends string = never>(
  operation: Operation<Needs, PathName>,
): Operation<Needs> => operation as unknown as Operation<Needs>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The parameters in the path of a route that is not hidden. */
    pathParameters?: PathParameters;
    problemOf?: ((error: unknown) => Problem | undefined) | undefined;
  }
}
