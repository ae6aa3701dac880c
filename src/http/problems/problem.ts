import type { FastifyReply, FastifyRequest } from 'fastify';
import { number } from '../../../values/counted.ts';
import type { FaultList, ParameterFault } from '../../../values/fault-list.ts';
import { ERRORS, type ErrorCode } from '../../../values/interface/errors.ts';
import { MAX_BODY_BYTES } from '../../../values/interface/limits.ts';
import { faultyParameters, Problem, type ProblemOptions } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import { UNAVAILABLE, Unavailable, type UnavailableReason } from '../../../values/unavailable.ts';
import { PROBLEM_TYPE, type ProblemDocument } from '../schemas/problem.ts';
import { type QueryParameters, standardHeaders, UNREAD } from '../server/begin-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    problem: Problem | null;
  }
}

const RETRY_AFTER_SECONDS = 1;

export function refuseFaulty(query: QueryParameters, faults: FaultList<ParameterFault<ErrorCode>>): void {
  faults.countUnlisted(query[UNREAD] ?? 0);
  if (faults.count > 0) throw faultyParameters(faults);
}

export function unavailable(reason: UnavailableReason, cause?: unknown): Problem {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
  const detail = `${UNAVAILABLE[reason].detail} Try again in ${RETRY_AFTER_SECONDS} s.`;
  return new Problem('unavailable', detail, { headers, reason, cause });
}

export const payloadTooLarge = (limit: number, options: ProblemOptions): Problem =>
  new Problem(
    'payload_too_large',
    `The body has more than ${number(limit)} bytes, the most that this operation takes.`,
    options,
  );

const BODY_TYPES = ['application/json', 'application/x-ndjson'];

export function unsupportedType({ server, headers }: FastifyRequest, cause?: unknown): Problem {
  const taken = BODY_TYPES.find((type) => server.hasContentTypeParser(type));
  const sent = headers['content-type'];
  const has = sent === undefined ? 'no Content-Type' : `the Content-Type ${quote(sent)}`;
  const detail =
    taken === undefined
      ? `This operation takes no body, and the request has ${has}, which is not a media type. Send the request without this header.`
      : `This operation takes ${taken}, and the request has ${has}. Send the body as ${taken}, and the header Content-Type: ${taken}.${taken === 'application/x-ndjson' ? ' Each of its lines is one JSON object.' : ''}`;
  return new Problem('unsupported_media_type', detail, { cause });
}

export function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Unavailable) return unavailable(error.reason, error);
  const { statusCode } = error as { statusCode?: number };
  const options = { cause: error };
  if (statusCode === 413) return payloadTooLarge(request.routeOptions.bodyLimit ?? MAX_BODY_BYTES, options);
  if (statusCode === 414)
    return new Problem('uri_too_long', 'The path is longer than any that exists.', options);
  if (statusCode === 415) return unsupportedType(request, error);
  if ((error as { code?: unknown }).code === 'FST_ERR_BAD_URL')
    return new Problem(
      'invalid_request',
      'The path has a % without two hexadecimal digits after it, or bytes that are not UTF-8.',
      options,
    );
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('invalid_request', 'The request is not well-formed.', options);
  return new Problem(
    'internal_error',
    'The service failed to answer. The log holds the cause under the requestId.',
    options,
  );
}

function documentOf({ code, message, options }: Problem, requestId: string): ProblemDocument {
  const { status, title } = ERRORS[code];
  const { errors, fieldErrors, differences, headSequence, floorSequence, resume } = options;
  return {
    type: `/errors/${code}`,
    title,
    status,
    detail: message,
    code,
    requestId,
    ...(errors && { errors: [...errors] }),
    ...(fieldErrors && { errors: fieldErrors }),
    ...(differences && { differences: [...differences] }),
    ...(headSequence !== undefined && { headSequence }),
    ...(floorSequence !== undefined && { floorSequence }),
    ...(resume !== undefined && { resume }),
  };
}

export function problemResponse(
  problem: Problem,
  requestId: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(documentOf(problem, requestId));
  const headers = {
    ...standardHeaders(requestId),
    ...problem.options.headers,
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}

/** On the operator's listener, the paths in an error's advice must name the account. */
function inPathsOf({ routeOptions }: FastifyRequest, document: ProblemDocument): ProblemDocument {
  if (!routeOptions.url?.startsWith(`${ACCOUNT_PATH}:`)) return document;
  const named = <Told extends { detail: string }>(told: Told): Told => ({
    ...told,
    detail: told.detail.replaceAll(PATH_OF_ACCOUNT, `${ACCOUNT_PATH}{account}/`),
  });
  const { errors, ...rest } = named(document);
  return { ...rest, ...(errors && { errors: errors.map(named) }) };
}

const ACCOUNT_PATH = '/v1/accounts/';
const PATH_OF_ACCOUNT = /\/v1\/(?=(?:transactions|search|totals|changes)\b)/g;

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.problem = problem;
  if (problem.status === 401) reply.removeHeader('key-expires');
  reply.removeHeader('cursor-expires').removeHeader('link');
  return reply
    .code(problem.status)
    .headers(problem.options.headers ?? {})
    .header('content-type', PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(inPathsOf(reply.request, documentOf(problem, reply.request.id)));
}
