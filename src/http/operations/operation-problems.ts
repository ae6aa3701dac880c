import { COMMON_ERRORS, type ErrorCode } from '../../../values/interface/errors.ts';
import { BUILT_IN_STATUSES } from '../../../values/status.ts';
import { kindOf, type ProblemKind } from '../problems/problem-kind.ts';
import { needsTls } from '../server/begin-request.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import type { Operation } from './operation.ts';
import { canReturnNotFound, parametersOf } from './parameters.ts';

const TRANSPORT_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
];

const KEY_ERRORS: readonly ErrorCode[] = [
  ...TRANSPORT_ERRORS,
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
];

export function ownErrors({ query = {}, problems = [] }: Operation<never>): ErrorCode[] {
  const declared = typeof query === 'function' ? query(BUILT_IN_STATUSES) : query;
  const ofQuery = Object.values(declared).flatMap(({ code, furtherCodes = [] }) => [code, ...furtherCodes]);
  return [...new Set([...ofQuery, ...problems])];
}

export function problemsOf(operation: Operation<never>, listener: Listener): ProblemKind[] {
  const { method, pathParameters, query, body } = operation;
  const { path = '', access = 'no key' } = operation[listener] ?? {};
  const ofAccess = access === 'no key' ? TRANSPORT_ERRORS : KEY_ERRORS;
  const codes: ErrorCode[] = [
    ...ofAccess.filter((code) => access !== 'any key' || code !== 'insufficient_scope'),
    ...bodyErrors(method, body),
    ...(needsTls(listener, path) ? (['insecure_transport'] as const) : []),
    ...ownErrors(operation),
    'unknown_parameter',
  ];
  if (query !== undefined) codes.push('duplicate_parameter');
  if (canReturnNotFound(method, parametersOf(path, pathParameters))) codes.push('not_found');
  return [...new Set(codes)].map(kindOf);
}

export function allProblems(operations: readonly Operation<never>[]): ProblemKind[] {
  const codes = [...(Object.keys(COMMON_ERRORS) as ErrorCode[]), ...operations.flatMap(ownErrors)];
  return [...new Set(codes)].map(kindOf);
}

/** Even where a body is ignored, a malformed content type is refused. */
function bodyErrors(method: string, body: Operation<never>['body']): ErrorCode[] {
  if (body?.type === 'application/json') return ['invalid_body', 'unsupported_media_type', 'invalid_fields'];
  return method === 'GET' ? [] : ['unsupported_media_type'];
}
