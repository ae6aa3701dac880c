import type { FastifySchema } from 'fastify';
import type { StatusNames } from '../../values/status.ts';
import type { Operation } from '../operations/operation.ts';
import { canBeAbsent, type PathParameters, parametersOf } from '../operations/path-parameter.ts';
import { querySchema } from '../operations/query.ts';
import type { ProblemCode } from '../problems/problems.ts';
import { problemResponses, type Responses, withCommonHeaders } from '../schemas/responses.ts';
import { Type } from '../schemas/type.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { OTHER_EXAMPLES } from './examples/other-problems.ts';

/** Errors of every operation, sent before the request reaches it. */
const TRANSPORT_PROBLEMS = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
] as const;

/** Errors of every operation that requires an API key. */
const KEY_PROBLEMS = [
  ...TRANSPORT_PROBLEMS,
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

/** Instead of those in PROBLEM_EXAMPLES, for an operation without query parameters. */
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
  const all: Responses = { ...success, ...problemResponses(codesOf(operation, listener), examples) };
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

/** The codes of all errors that an operation can have. */
export function codesOf(operation: Operation<never>, listener: Listener): ProblemCode[] {
  const { method, pathParameters, query, body, problems = [] } = operation;
  const { path = '', access = 'no key' } = operation[listener] ?? {};
  const ofAccess: readonly ProblemCode[] = access === 'no key' ? TRANSPORT_PROBLEMS : KEY_PROBLEMS;
  const codes: ProblemCode[] = [
    ...ofAccess.filter((code) => access !== 'any key' || code !== 'insufficient_scope'),
    ...bodyProblems(method, body, listener),
    ...problems,
    'unknown_parameter',
  ];
  if (query !== undefined) codes.push('duplicate_parameter');
  if (canBeAbsent(method, parametersOf(path, pathParameters))) codes.push('not_found');
  return [...new Set(codes)];
}

/** The operator's listener reads the body of each request, the public one only where an operation has one; the type is always checked. */
function bodyProblems(
  method: string,
  body: Operation<never>['body'],
  listener: Listener,
): readonly ProblemCode[] {
  if (body?.type === 'application/json') return ['invalid_body', 'unsupported_media_type', 'invalid_fields'];
  if (method === 'GET') return [];
  return body === undefined && listener === 'operator'
    ? ['invalid_body', 'unsupported_media_type']
    : ['unsupported_media_type'];
}

const examplePath = (path: string, parameters: PathParameters) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const [example] = (parameters[name]?.schema['examples'] ?? []) as string[];
    return String(example);
  });
