import type { Context, JsonBody } from '../../../http/operations/operation.ts';
import { type BodyFault, bodyFault } from '../../../http/problems/body-fault.ts';
import { faultyField, faultyFields, Problem } from '../../../http/problems/problem.ts';
import { PROBLEMS } from '../../../http/problems/problems.ts';
import { FaultList } from '../../../values/fault-list.ts';
import type { ChangeReader } from '../../changes/change.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { type ParseRules, parseTransaction } from '../parse-transaction.ts';
import { type LimitedRecorder, RefusedRecording } from '../recording-limits.ts';

/** What recording needs. */
export interface RecordingContext extends Context<Pick<ChangeReader, 'listTransactionChanges'>> {
  /** Counts each outcome. */
  recorder: LimitedRecorder;
  rules: ParseRules;
}

/**
 * The transaction that a request's body and path describe.
 *
 * Throws: `invalid_body` without a body; `invalid_fields` with every fault.
 */
export function readTransaction(
  body: JsonBody,
  path: { account: string; reference?: string },
  rules: ParseRules,
): AccountTransaction {
  if (body === null || body === undefined)
    throw new Problem(
      PROBLEMS.invalid_body,
      'The request has no body. Send the transaction as a JSON object.',
    );
  const faults = new FaultList<BodyFault>();
  for (const field of ['account', 'reference'] as const) {
    if (field in body && body[field] !== path[field])
      faults.add(
        bodyFault({
          field,
          code: 'contradicts_path',
          detail: 'differs from the path; leave it out of the body, or write the same value',
        }),
      );
  }
  // Modifies the body, because a copy of a large one could cost more than everything else.
  const parsed = parseTransaction(Object.assign(body, path), rules);
  if ('transaction' in parsed && faults.count === 0) return parsed.transaction;
  if ('faults' in parsed) {
    for (const fault of parsed.faults.listed) faults.add(bodyFault(fault));
    faults.countUnlisted(parsed.faults.unlisted);
  }
  throw faultyFields(faults);
}

/** The problem of an error that recording throws. */
export const problemOfRecording = (error: unknown): Problem | undefined =>
  error instanceof RefusedRecording ? faultyField(bodyFault(error.fault)) : undefined;
