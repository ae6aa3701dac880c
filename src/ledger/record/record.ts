import { dayOf, formatTimestamp } from '../../../values/calendar.ts';
import { formatDay } from '../../../values/days.ts';
import type { WrittenFields } from '../../../values/fault-list.ts';
import type { FieldFault } from '../../../values/field-fault.ts';
import { bodyFault, faultyField, Problem } from '../../../values/problem.ts';
import { explainStatus, PENDING, type Statuses } from '../../../values/status.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import type { NumberedNonce } from '../changes/change.ts';
import { addedDetails, detailDifferences } from '../details.ts';
import type { AccountTransaction, Transaction } from '../transaction.ts';
import { asClause, FIELD_LIST, formatTransaction } from '../transaction-fields.ts';

export interface NodesOfAccounts {
  /**
   * The node that has the rows of an account; absent if there is only one. Recordings on different nodes do
   * not wait for each other.
   */
  nodeOf?(account: string): string;
  /**
   * The nodes that have rows of accounts; each can fail alone. Absent, or one empty text, if there is only
   * one.
   */
  nodes?(): readonly string[];
}

/** Records transactions. When a promise resolves, its transactions are on disk. */
export interface TransactionRecorder {
  /**
   * Records transactions and returns the result of each, in their order. A transaction that fails, or whose
   * row is held, neither fails nor delays the others.
   *
   * No two transactions may have the same account and reference.
   */
  record(transactions: readonly AccountTransaction[], alone?: RecordAlone): Promise<RecordResult[]>;
}

export type GroupRecorder = TransactionRecorder & NodesOfAccounts;

/** How one transaction is recorded alone. */
export interface RecordAlone {
  /**
   * The transaction is new, and is recorded under a key. If a call is interrupted half-way, the same call
   * completes it.
   */
  once?: IdempotencyKey;
  /** The row of this transaction was held: wait for it, slightly less than the time limit of a request. */
  waits?: true;
}

/** A change that a recording made: its number, and the nonce of its commit. */
export type MadeChange = NumberedNonce;

export type RecordOutcome =
  | ({ outcome: 'recorded' | 'changed'; detailsRemovedAtMs?: number | null } & MadeChange)
  | Exclude<Comparison, { outcome: 'changed' }>;

export type GroupResult =
  | RecordOutcome
  /** Another transaction of the database holds the row: nothing was recorded. */
  | { outcome: 'held' }
  | { outcome: 'failed'; error: unknown };

export type RecordResult = GroupResult | RecordOnceOutcome;

export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request, in lower-case hexadecimal. */
  fingerprint: string;
  /** If true, only repeats an earlier request with the key, and records nothing new. */
  repeatsOnly?: boolean;
}

export type RecordOnceOutcome =
  | ({ outcome: 'recorded'; reference: string } & MadeChange)
  /** The key was used for an equal request before: the transaction has this reference. */
  | { outcome: 'repeated'; reference: string }
  /** The key was used for another request, whose transaction has this reference. */
  | { outcome: 'key_reused'; reference: string }
  /** `repeatsOnly` was true, and nothing is recorded under the key. */
  | { outcome: 'not_recorded' };

export const recordHeld = async (
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
): Promise<RecordOutcome> => outcomeOf(await recorder.record([transaction], { waits: true }));

/** The outcome of one transaction of a group, or its error. If the row is held, waits for it. */
export async function outcomeOrHeld(
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
  result: RecordResult,
): Promise<RecordOutcome> {
  if (result.outcome === 'held') return recordHeld(recorder, transaction);
  if (result.outcome === 'failed') throw result.error;
  return result as RecordOutcome;
}

/** Records a new transaction under an idempotency key of its account. */
export const recordOnce = async (
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
  once: IdempotencyKey,
): Promise<RecordOnceOutcome> => outcomeOf(await recorder.record([transaction], { once }));

function outcomeOf<Outcome>([result]: readonly RecordResult[]): Outcome {
  if (result?.outcome === 'failed') throw result.error;
  return result as Outcome;
}

export interface DetailsRemover {
  /**
   * Removes the details of a transaction for good, at the time of the audit entry, which is written in the
   * same transaction of the database. Without details, nothing changes. Undefined if the account has no
   * transaction with the reference.
   */
  removeDetails(
    account: string,
    reference: string,
    entry: AuditEntry,
  ): Promise<'removed' | 'unchanged' | undefined>;
}

/**
 * The fault of a new transaction that was created too far in the future. It is a typing error, and would lead
 * every list forever.
 */
export const tooFarAhead = (latestMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'too_far_ahead',
  detail: `is too far ahead; the latest that can be recorded now is ${formatTimestamp(latestMs)}, and CREATED_AT_AHEAD raises it`,
});

/** The fault of a new transaction that was created on archived days: it can be one of the archived ones. */
export const archivedDay = (beforeMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'archived',
  detail: `is on an archived day: the transactions of this account that were created before ${formatDay(dayOf(beforeMs))} were archived, and this one is not among those that are left; look for it in the files of the archive, and leave it out if it is there: it was recorded before`,
});

/**
 * The fault of a transaction that takes a status in which others were recorded, and which is no longer
 * declared.
 */
export const statusNotDeclared = (status: string, statuses: Statuses): FieldFault => ({
  field: 'status',
  code: 'invalid_value',
  detail: asClause(explainStatus(status, statuses)),
});

/** A transaction is not recorded because it has this fault. */
export class RefusedRecording extends Problem {
  readonly fault: FieldFault;

  constructor(fault: FieldFault) {
    const { code, message, options } = faultyField(bodyFault(fault));
    super(code, message, options);
    this.fault = fault;
  }
}

/**
 * The store refuses a new transaction of an archived day in the transaction of the database that would record
 * it.
 */
export const createdOnArchivedDay = (beforeMs: number) => new RefusedRecording(archivedDay(beforeMs));

/**
 * The fields to compare. The recorded transaction was found by account and reference, and details have a rule
 * of their own.
 */
const CONTENT = FIELD_LIST.filter(
  ({ name, hasOwnRule }) => name !== 'account' && name !== 'reference' && hasOwnRule !== true,
);
/** Fields that never change. */
const IMMUTABLE_FIELDS = CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange !== true);
const COMPARED_FIELDS = [
  ...IMMUTABLE_FIELDS,
  ...CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange),
];

/** A field in which a transaction contradicts the recorded one, both values in their written form. */
export interface FieldDifference {
  field: string;
  recorded: string | null;
  given: string | null;
}

export type Comparison =
  | { outcome: 'unchanged' }
  /** `finalDetails` are all details, if the change adds names. */
  | { outcome: 'changed'; finalDetails: string | null; detailsRemovedAtMs: number | null }
  | { outcome: 'conflict'; differences: FieldDifference[] };

/**
 * Compares a transaction with the recorded one of the same account and reference.
 *
 * An equal transaction changes nothing. A pending transaction can get another status, its time of payment and
 * more details. Any other difference is a conflict.
 */
export function compareWithRecorded(recorded: Transaction, given: Transaction): Comparison {
  if (isEqual(recorded, given)) return { outcome: 'unchanged' };
  const isAdvance = recorded.status === PENDING && given.status !== PENDING;
  const differences = differencesBetween(recorded, given, { isAdvance });
  if (differences.length > 0) return { outcome: 'conflict', differences };
  if (!isAdvance) return { outcome: 'unchanged' };
  const { detailsRemovedAtMs } = recorded;
  return { outcome: 'changed', finalDetails: addedDetails(recorded, given), detailsRemovedAtMs };
}

export function differencesBetween(
  recorded: Transaction,
  given: Transaction,
  { isAdvance = false } = {},
): FieldDifference[] {
  const before: WrittenFields = { ...formatTransaction(recorded) };
  const after: WrittenFields = { ...formatTransaction(given) };
  const valueIn = (fields: WrittenFields, name: string) => (fields[name] ?? null) as string | null;
  const fields = (isAdvance ? IMMUTABLE_FIELDS : COMPARED_FIELDS).map(({ name }) => name);
  return [
    ...fields
      .map((field) => ({ field, recorded: valueIn(before, field), given: valueIn(after, field) }))
      .filter((one) => one.recorded !== one.given),
    ...detailDifferences(recorded, given, { canAdd: isAdvance }),
  ];
}

/** True if a conflict is about a final status. */
export const contradictsFinalStatus = (differences: readonly FieldDifference[]): boolean =>
  differences.some(({ field, recorded }) => field === 'status' && recorded !== PENDING);

/** Repeated transactions are mostly equal, and comparing their values is cheaper than formatting them. */
function isEqual(recorded: Transaction, given: Transaction): boolean {
  for (const name in recorded)
    if (recorded[name as keyof Transaction] !== given[name as keyof Transaction]) return false;
  return true;
}
