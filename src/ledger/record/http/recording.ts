import { FaultList } from '../../../../values/fault-list.ts';
import type { FieldFault } from '../../../../values/field-fault.ts';
import { type Context, type JsonBody, requireBody } from '../../../http/operations/operation.ts';
import { bodyFault, faultyField, faultyFields, type Problem } from '../../../http/problems/problem.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { type ChangeReader, changeId } from '../../changes/change.ts';
import type { AccountTransaction } from '../../transaction.ts';
import type { GroupRecorder } from '../group-commit.ts';
import { type ParseRules, parseTransaction } from '../parse-transaction.ts';
import { RefusedRecording } from '../recording-limits.ts';
import type { MadeChange } from '../transaction-recorder.ts';

/** What recording needs. */
export interface RecordingContext extends Context<Pick<ChangeReader, 'listTransactionChanges'>> {
  recorder: GroupRecorder;
  metrics: { countRecorded(outcome: string): void };
  rules: ParseRules;
}

/**
 * The transaction that a request's body and path describe.
 *
 * Throws: `invalid_body` without a body; `invalid_fields` with every fault.
 */
export async function readTransaction(
  sent: JsonBody,
  path: { account: string; reference?: string },
  rules: ParseRules,
): Promise<AccountTransaction> {
  const body = requireBody(sent);
  await rules.recorded?.readFor?.(body['status']);
  const faults = new FaultList<FieldFault>();
  for (const field of ['account', 'reference'] as const) {
    if (field in body && body[field] !== path[field])
      faults.add({
        field,
        code: 'contradicts_path',
        detail:
          path[field] === undefined
            ? 'is made by the service here; leave it out of the body, or record under a reference of yours with PUT'
            : 'differs from the path; leave it out of the body, or write the same value',
      });
  }
  // Modifies the body, because a copy of a large one could cost more than everything else.
  const parsed = parseTransaction(Object.assign(body, path), rules, faults);
  if ('faults' in parsed) throw faultyFields(parsed.faults);
  return parsed.transaction;
}

/** The problem of an error that recording throws. */
export const problemOfRecording = (error: unknown): Problem | undefined =>
  error instanceof RefusedRecording ? faultyField(bodyFault(error.fault)) : undefined;

/** What a recording did, and the change that recorded the transaction as the response has it. */
export const RECORDING_HEADERS = {
  'Recording-Outcome': Type.OpenEnum(
    ['recorded', 'changed', 'unchanged'],
    'recorded: the transaction is new. changed: it took another status. unchanged: it was recorded like this already.',
  ),
  'Change-Sequence': Type.String({
    description: 'The number of the change that recorded the transaction like this.',
    examples: ['7'],
  }),
  'Change-Id': Type.String({
    description: 'The id of this change.',
    examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
  }),
} as const satisfies Record<string, Schema>;

type RecordingHeaders = Record<keyof typeof RECORDING_HEADERS, string>;

/** `change` is the one that this request made, or the one that it repeats. */
export function recordingHeaders(
  account: string,
  outcome: 'recorded' | 'changed' | 'unchanged',
  change: MadeChange,
): RecordingHeaders {
  return {
    'Recording-Outcome': outcome,
    'Change-Sequence': String(change.sequence),
    'Change-Id': changeId(account, change),
  };
}
