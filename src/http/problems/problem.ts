import type { FastifyReply } from 'fastify';
import type { FaultList } from '../../core/fault-list.ts';
import type { ListFault } from '../../core/list/list-filter.ts';
import type { Difference } from '../../core/record-transaction.ts';
import { StoreUnavailable } from '../../core/store.ts';
import type { ProblemDocument } from '../schemas/problem.ts';
import type { BodyFault } from './body-fault.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';

const RETRY_AFTER_SECONDS = 1;

interface ProblemOptions {
  /** Of a query's parameters. */
  errors?: ListFault[];
  /** Of a body's fields. */
  fieldErrors?: BodyFault[];
  /** Of a transaction that contradicts the recorded one. */
  differences?: Difference[];
  resume?: string;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error with what the caller is told. Its cause is for the log alone. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  /** Source: RFC 9457. */
  document(requestId: string): ProblemDocument {
    const { status, title } = PROBLEMS[this.code];
    const { errors, fieldErrors, differences, resume } = this.options;
    return {
      type: `/errors/${this.code}`,
      title,
      status,
      detail: this.message,
      code: this.code,
      requestId,
      ...(errors && { errors }),
      ...(fieldErrors && { errors: fieldErrors }),
      ...(differences && { differences }),
      ...(resume !== undefined && { resume }),
    };
  }
}

/** The problem that one or more faulty parameters make. */
export function faultyParameters(faults: FaultList<ListFault>, resume?: string): Problem {
  const options = { errors: faults.listed, ...(resume !== undefined && { resume }) };
  const [first] = faults.listed;
  if (first !== undefined && faults.count === 1) return new Problem(first.code, first.detail, options);
  return new Problem('invalid_request', faults.summary('The request'), options);
}

/** The problem that one or more faulty fields of a body make. */
export function faultyFields(faults: FaultList<BodyFault>): Problem {
  const [first] = faults.listed;
  const detail =
    first !== undefined && faults.count === 1
      ? `${first.pointer} ${first.detail}.`
      : faults.summary('The body');
  return new Problem('invalid_fields', detail, { fieldErrors: faults.listed });
}

/** The problem of a request that may succeed when it is sent again. */
export function unavailable(why: string, cause?: unknown): Problem {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
  return new Problem('unavailable', `${why} Try again in ${RETRY_AFTER_SECONDS} s.`, { headers, cause });
}

/** What a caller is told of any error: those that nobody foresaw are the service's own. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    return unavailable("The database can't answer now.", error);
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413)
    return new Problem('payload_too_large', 'The body is larger than this operation takes.', {
      cause: error,
    });
  if (statusCode === 415)
    return new Problem('unsupported_media_type', 'The body is of a type that this operation does not take.', {
      cause: error,
    });
  if (statusCode === 414)
    return new Problem('uri_too_long', 'The path is longer than any that exists.', { cause: error });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid_request', 'The request is not well-formed.', { cause: error });
  }
  return new Problem(
    'internal_error',
    'The service failed to answer. The log holds the cause under the requestId.',
    { cause: error },
  );
}

/** Answers with a problem document, in the one shape that every error has. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.problem = problem;
  return reply
    .code(problem.status)
    .headers(problem.options.headers ?? {})
    .header('content-type', 'application/problem+json')
    .serializer(JSON.stringify)
    .send(problem.document(reply.request.id));
}
