import type { FastifyReply, FastifyRequest } from 'fastify';
import { TooManyWaiting } from '../../ledger/changes/change-watcher.ts';
import { SequenceAhead } from '../../ledger/changes/list-changes.ts';
import { TooManyExports } from '../../ledger/exports/running-exports.ts';
import { ExportFailed } from '../../ledger/exports/start-export.ts';
import { CreatedTooFarAhead } from '../../ledger/record/created-at-limit.ts';
import type { Difference } from '../../ledger/record/record-transaction.ts';
import { NoPlaceFree } from '../../values/fair-places.ts';
import { FaultList } from '../../values/fault-list.ts';
import type { ParameterFault } from '../../values/parameter-fault.ts';
import { quote } from '../../values/quote.ts';
import { sentence } from '../../values/sentence.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { MAX_WEBHOOKS, TooManyWebhooks } from '../../webhooks/manage-webhooks.ts';
import { TooManyTests } from '../../webhooks/running-tests.ts';
import { type QueryParameters, UNREAD } from '../parse-query.ts';
import type { ProblemDocument } from '../schemas/problem.ts';
import { type BodyFault, bodyFault } from './body-fault.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem that the request was answered with, or null. */
    problem: Problem | null;
  }
}

const RETRY_AFTER_SECONDS = 1;
const EXPORT_RETRY_SECONDS = 10;
/** Exports are stored for 24 hours, so their number falls slowly. */
const STORED_EXPORTS_RETRY_SECONDS = 3600;
const TEST_RETRY_SECONDS = 5;

/** A fault of a query parameter. */
export type QueryFault = ParameterFault<ProblemCode>;

interface ProblemOptions {
  /** Faults of query parameters. */
  errors?: QueryFault[];
  /** Faults of body fields. */
  fieldErrors?: BodyFault[];
  /** The fields that contradict the recorded transaction. */
  differences?: Difference[];
  /** The last sequence number of the account. */
  headSequence?: number;
  resume?: string;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error with its response to the caller. The cause is only logged. */
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
    const { errors, fieldErrors, differences, headSequence, resume } = this.options;
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
      ...(headSequence !== undefined && { headSequence }),
      ...(resume !== undefined && { resume }),
    };
  }
}

/** The problem of one or more faulty parameters. */
export function faultyParameters(faults: FaultList<QueryFault>, resume?: string): Problem {
  const options = { errors: faults.listed, ...(resume !== undefined && { resume }) };
  const [first] = faults.listed;
  if (first !== undefined && faults.count === 1) return new Problem(first.code, first.detail, options);
  return new Problem('invalid_request', faults.summary('The request'), options);
}

/**
 * Refuses a query with faults. Parameters that were not read count as faults: an operation has fewer than are read.
 *
 * Throws: a Problem with all faults.
 */
export function refuseFaulty(query: QueryParameters, faults: FaultList<QueryFault>): void {
  faults.countUnlisted(query[UNREAD] ?? 0);
  if (faults.count > 0) throw faultyParameters(faults);
}

/** The problem of one or more faulty fields of a body. */
export function faultyFields(faults: FaultList<BodyFault>): Problem {
  const [first] = faults.listed;
  const detail =
    first !== undefined && faults.count === 1
      ? sentence(`${first.pointer} ${first.detail}`)
      : faults.summary('The body');
  return new Problem('invalid_fields', detail, { fieldErrors: faults.listed });
}

/** Every 503: the request can succeed when it is sent again. */
export function unavailable(why: string, cause?: unknown): Problem {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
  return new Problem('unavailable', `${why} Try again in ${RETRY_AFTER_SECONDS} s.`, { headers, cause });
}

/** The types of bodies that operations take: each takes one. */
const BODY_TYPES = ['application/json', 'application/x-ndjson'];

function unsupportedType({ server, headers }: FastifyRequest, cause: unknown): Problem {
  const taken = BODY_TYPES.find((type) => server.hasContentTypeParser(type));
  const sent = headers['content-type'];
  const has = sent === undefined ? 'no Content-Type' : `the Content-Type ${quote(sent)}`;
  return new Problem(
    'unsupported_media_type',
    `This operation takes ${taken}, and the request has ${has}. Send the body as ${taken}, and the header Content-Type: ${taken}.`,
    { cause },
  );
}

/** The problem of any error of a request. An unexpected error is a failure of the service. */
export function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    return unavailable("The database can't answer now.", error);
  }
  if (error instanceof TooManyWaiting) {
    return unavailable(
      'Too many callers already wait for changes. Without wait, the request is answered at once.',
      error,
    );
  }
  if (error instanceof NoPlaceFree) {
    return unavailable(
      'The service is already summing recent changes for as many requests as it can.',
      error,
    );
  }
  if (error instanceof TooManyExports) return tooManyExports(error);
  if (error instanceof TooManyTests) return tooManyTests(error);
  if (error instanceof TooManyWebhooks) {
    return new Problem(
      'too_many_webhooks',
      `The account has ${MAX_WEBHOOKS} endpoints already. Delete one that is not used, or change it.`,
    );
  }
  if (error instanceof ExportFailed) {
    return new Problem(
      'export_failed',
      'The transactions do not add up to the totals, so the export cannot be completed. Tell the operator, who finds the place with transactions verify.',
      { cause: error },
    );
  }
  if (error instanceof CreatedTooFarAhead) {
    const faults = new FaultList<BodyFault>();
    faults.add(bodyFault(error.fault));
    return faultyFields(faults);
  }
  if (error instanceof SequenceAhead) {
    const { fault, headSequence } = error;
    return new Problem(fault.code, fault.detail, { errors: [fault], headSequence });
  }
  const { statusCode } = error as { statusCode?: number };
  const problem = (code: ProblemCode, detail: string) => new Problem(code, detail, { cause: error });
  if (statusCode === 413)
    return problem('payload_too_large', 'The body is larger than this operation takes.');
  if (statusCode === 414) return problem('uri_too_long', 'The path is longer than any that exists.');
  if (statusCode === 415) return unsupportedType(request, error);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return problem('invalid_request', 'The request is not well-formed.');
  }
  return problem(
    'internal_error',
    'The service failed to answer. The log holds the cause under the requestId.',
  );
}

function tooManyTests(error: TooManyTests): Problem {
  if (error.scope === 'process')
    return unavailable('The service already sends as many test webhooks as it can.', error);
  return new Problem(
    'too_many_tests',
    `The account already waits for the receivers of two test webhooks. Try again in ${TEST_RETRY_SECONDS} s, or when one of them has answered.`,
    { headers: { 'retry-after': String(TEST_RETRY_SECONDS) } },
  );
}

function tooManyExports(error: TooManyExports): Problem {
  if (error.scope === 'process')
    return unavailable('The service already runs as many exports as it can.', error);
  const [seconds, detail] =
    error.scope === 'account'
      ? [
          EXPORT_RETRY_SECONDS,
          `The account already runs two exports. Try again in ${EXPORT_RETRY_SECONDS} s, or when one of them has ended.`,
        ]
      : [
          STORED_EXPORTS_RETRY_SECONDS,
          'The account has begun as many exports in the last 24 hours as are stored. Try again later, or take up an earlier export.',
        ];
  return new Problem('too_many_exports', detail, { headers: { 'retry-after': String(seconds) } });
}

/** Answers with a problem document, which is the shape of every error. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.problem = problem;
  // Of a key that was near its expiry when the request came, and was refused after a wait.
  if (problem.status === 401) reply.removeHeader('key-expires');
  return reply
    .code(problem.status)
    .headers(problem.options.headers ?? {})
    .header('content-type', 'application/problem+json')
    .serializer(JSON.stringify)
    .send(problem.document(reply.request.id));
}
