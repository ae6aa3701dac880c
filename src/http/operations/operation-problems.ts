import type { ProblemKind } from '../problems/problem-kind.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { needsTls } from '../server/check-head.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import type { Operation } from './operation.ts';
import { canBeAbsent, parametersOf } from './path-parameter.ts';

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

/** All errors that an operation can have on a listener. */
export function problemsOf(operation: Operation<never>, listener: Listener): ProblemKind[] {
  const { method, pathParameters, query, body, problems = [] } = operation;
  const { path = '', access = 'no key' } = operation[listener] ?? {};
  const ofAccess = access === 'no key' ? TRANSPORT_PROBLEMS : KEY_PROBLEMS;
  const kinds = [
    ...ofAccess.filter((kind) => access !== 'any key' || kind !== PROBLEMS.insufficient_scope),
    ...bodyProblems(method, body),
    ...(needsTls(listener, path) ? [PROBLEMS.insecure_transport] : []),
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

/** A body that no operation declares is not read, but its type must be well-formed. */
function bodyProblems(method: string, body: Operation<never>['body']): ProblemKind[] {
  const { invalid_body, unsupported_media_type, invalid_fields } = PROBLEMS;
  if (body?.type === 'application/json') return [invalid_body, unsupported_media_type, invalid_fields];
  return method === 'GET' ? [] : [unsupported_media_type];
}
