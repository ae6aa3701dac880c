import type { FastifySchema } from 'fastify';
import type { StatusNames } from '../../values/status.ts';
import type { Operation } from '../operations/operation.ts';
import { canBeAbsent, type PathParameters, parametersOf } from '../operations/path-parameter.ts';
import { querySchema } from '../operations/query.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { problemResponses, type Responses, withCommonHeaders } from '../schemas/responses.ts';
import { Type } from '../schemas/type.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { OTHER_EXAMPLES } from './other-examples.ts';

/** Errors of every operation, sent before the request reaches it. */
const TRANSPORT_PROBLEMS = [
  PROBLEMS.invalid_request,
  PROBLEMS.request_timeout,
  PROBLEMS.payload_too_large,
  PROBLEMS.uri_too_long,
  PROBLEMS.headers_too_large,
];

/** Errors of every operation that requires an API key. */
const KEY_PROBLEMS = [
  ...TRANSPORT_PROBLEMS,
  PROBLEMS.missing_api_key,
  PROBLEMS.invalid_api_key,
  PROBLEMS.insufficient_scope,
  PROBLEMS.rate_limited,
  PROBLEMS.internal_error,
  PROBLEMS.unavailable,
];

/** Instead of those of the kinds, for an operation without query parameters. */
const PARAMETERLESS_EXAMPLES = {
  invalid_request: OTHER_EXAMPLES.noHost,
  unknown_parameter: OTHER_EXAMPLES.noParameters,
};

/** The same on the operator's listener. */
const OPERATOR_EXAMPLES = {
  rate_limited: OTHER_EXAMPLES.addressLimited,
  insufficient_scope: OTHER_EXAMPLES.otherAccounts,
};

/** An operation as the OpenAPI document of a listener describes it; undefined if the listener does not have it. */
export function describeOperation(
  operation: Operation<never>,
  listener: Listener,
  statuses: StatusNames,
): FastifySchema {
  const { pathParameters, query, headers, body, responses } = operation;
  const offer = operation[listener];
  if (offer === undefined) throw new Error(`the ${listener} listener does not have the operation`);
  const { id, path, access, tag, summary, description } = offer;
  const inPath = parametersOf(path, pathParameters);
  const declared = typeof query === 'function' ? query(statuses) : query;
  const hasKey = access !== 'no key';
  const success = typeof responses === 'function' ? responses(examplePath(path, inPath)) : responses;
  const examples = {
    ...(declared === undefined && PARAMETERLESS_EXAMPLES),
    ...(listener === 'operator' && hasKey && OPERATOR_EXAMPLES),
    ...operation.problemExamples,
  };
  const all: Responses = { ...success, ...problemResponses(problemsOf(operation, listener), examples) };
  const common = { hasKey, keysAreLimited: hasKey && listener === 'public' };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(headers && { headers: Type.Object(headers) }),
    ...(path.includes(':') && {
      params: Type.Object(
        Object.fromEntries(Object.entries(inPath).map(([name, { schema }]) => [name, schema])),
      ),
    }),
    ...(declared && { querystring: querySchema(declared) }),
    ...(body && { consumes: [body.type], body: body.schema }),
    security: hasKey ? [{ apiKey: access === 'any key' ? [] : [access] }] : [],
    response: Object.fromEntries(
      Object.entries(all).map(([status, one]) => [status, withCommonHeaders(one, Number(status), common)]),
    ),
  };
}

/** All errors that an operation can have on a listener. */
export function problemsOf(operation: Operation<never>, listener: Listener): ProblemKind[] {
  const { method, pathParameters, query, body, problems = [] } = operation;
  const { path = '', access = 'no key' } = operation[listener] ?? {};
  const ofAccess = access === 'no key' ? TRANSPORT_PROBLEMS : KEY_PROBLEMS;
  const kinds = [
    ...ofAccess.filter((kind) => access !== 'any key' || kind !== PROBLEMS.insufficient_scope),
    ...bodyProblems(method, body, listener),
    ...problems,
    PROBLEMS.unknown_parameter,
  ];
  if (query !== undefined) kinds.push(PROBLEMS.duplicate_parameter);
  if (canBeAbsent(method, parametersOf(path, pathParameters))) kinds.push(PROBLEMS.not_found);
  return kinds;
}

/** Every kind of error of a service with these operations. */
export function allProblems(operations: readonly Operation<never>[]): ProblemKind[] {
  const own = operations.flatMap(({ problems = [] }) => problems);
  return [...new Set([...Object.values(PROBLEMS), ...own])];
}

/** The operator's listener reads the body of each request, the public one only where an operation has one; the type is always checked. */
function bodyProblems(method: string, body: Operation<never>['body'], listener: Listener): ProblemKind[] {
  const { invalid_body, unsupported_media_type, invalid_fields } = PROBLEMS;
  if (body?.type === 'application/json') return [invalid_body, unsupported_media_type, invalid_fields];
  if (method === 'GET') return [];
  return body === undefined && listener === 'operator'
    ? [invalid_body, unsupported_media_type]
    : [unsupported_media_type];
}

const examplePath = (path: string, parameters: PathParameters) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const [example] = (parameters[name]?.schema['examples'] ?? []) as string[];
    return String(example);
  });
