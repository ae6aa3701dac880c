import { dayOf, formatDay, formatTimestamp } from '../../../values/calendar.ts';
import type { FieldFault, WrittenFields } from '../../../values/fault-list.ts';
import { bodyFault, faultyField, Problem } from '../../../values/problem.ts';
import { explainStatus, PENDING, type Statuses } from '../../../values/status.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import type { NumberedNonce } from '../changes/change.ts';
import { addedDetails, detailDifferences } from '../details.ts';
import type { AccountTransaction, Transaction } from '../transaction.ts';
import { asClause, FIELD_LIST, formatTransaction } from '../transaction-fields.ts';

export interface NodesOfAccounts {
  /** Absent if there is only one node. Recordings on different nodes do not wait for each other. */
  nodeOf?(account: string): string;
  /** The nodes that contain rows of accounts. If there is only one node, absent or `['']`. */
  nodes?(): readonly string[];
}

/** When a promise resolves, its transactions are on disk. */
export interface TransactionRecorder {
  /** A call must not contain a transaction twice. Returns the results in the order of `transactions`. */
  record(transactions: readonly AccountTransaction[], alone?: RecordAlone): Promise<RecordResult[]>;
}

export type GroupRecorder = TransactionRecorder & NodesOfAccounts;

export interface RecordAlone {
  /** Records the transaction under a key. If a call is interrupted, repeating it completes the recording. */
  once?: IdempotencyKey;
  /** Waits for a locked row, for slightly less time than a request may take. */
  waits?: true;
}

export type MadeChange = NumberedNonce;

export type RecordOutcome =
  | ({ outcome: 'recorded' | 'changed'; detailsRemovedAtMs?: number | null } & MadeChange)
  | Exclude<Comparison, { outcome: 'changed' }>;

export type GroupResult =
  | RecordOutcome
  /** Another database transaction holds the lock of the row. */
  | { outcome: 'held' }
  | { outcome: 'failed'; error: unknown };

export type RecordResult = GroupResult | RecordOnceOutcome;

export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request's fields except details, in lower-case hexadecimal. */
  fingerprint: string;
  /** If true, nothing is recorded. The outcome is `repeated`, `key_reused` or `not_recorded`. */
  repeatsOnly?: boolean;
}

export type RecordOnceOutcome =
  | ({ outcome: 'recorded'; reference: string } & MadeChange)
  /** The key was used for an equal request, whose transaction has this reference. */
  | { outcome: 'repeated'; reference: string }
  | { outcome: 'key_reused'; reference: string }
  | { outcome: 'not_recorded' };

export const recordHeld = async (
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
): Promise<RecordOutcome> => outcomeOf(await recorder.record([transaction], { waits: true }));

export async function outcomeOrHeld(
  recorder: TransactionRecorder,
  transaction: AccountTransaction,
  result: RecordResult,
): Promise<RecordOutcome> {
  if (result.outcome === 'held') return recordHeld(recorder, transaction);
  if (result.outcome === 'failed') throw result.error;
  return result as RecordOutcome;
}

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
  /** Writes the audit entry in the same database transaction. Returns undefined for a missing transaction. */
  removeDetails(
    account: string,
    reference: string,
    entry: AuditEntry,
  ): Promise<'removed' | 'unchanged' | undefined>;
}

/** A time far in the future is a mistake, and the transaction would stay at the top of every list. */
export const tooFarAhead = (latestMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'too_far_ahead',
  detail: `is too far ahead; the latest that can be recorded now is ${formatTimestamp(latestMs)}, and CREATED_AT_AHEAD raises it`,
});

export const archivedDay = (beforeMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'archived',
  detail: `is on an archived day: transactions of this account that were created before ${formatDay(dayOf(beforeMs))} are archived; look for this transaction in the files of the archive: if it is there, it was recorded before, so leave it out`,
});

export const statusNotDeclared = (status: string, statuses: Statuses): FieldFault => ({
  field: 'status',
  code: 'invalid_value',
  detail: asClause(explainStatus(status, statuses)),
});

export class RefusedRecording extends Problem {
  readonly fault: FieldFault;

  constructor(fault: FieldFault) {
    const { code, message, options } = faultyField(bodyFault(fault));
    super(code, message, options);
    this.fault = fault;
  }
}

export const createdOnArchivedDay = (beforeMs: number) => new RefusedRecording(archivedDay(beforeMs));

const CONTENT = FIELD_LIST.filter(
  ({ name, isOfDetails }) => name !== 'account' && name !== 'reference' && isOfDetails !== true,
);
const IMMUTABLE_FIELDS = CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange !== true);
const COMPARED_FIELDS = [
  ...IMMUTABLE_FIELDS,
  ...CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange),
];

export interface FieldDifference {
  field: string;
  recorded: string | null;
  given: string | null;
}

export type Comparison =
  | { outcome: 'unchanged' }
  /** `finalDetails` has all details that the transaction then has. Null if the change adds no details. */
  | { outcome: 'changed'; finalDetails: string | null; detailsRemovedAtMs: number | null }
  | { outcome: 'conflict'; differences: FieldDifference[] };

/** A pending transaction can take a final status, its time of payment and more details. */
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

export const contradictsFinalStatus = (differences: readonly FieldDifference[]): boolean =>
  differences.some(({ field, recorded }) => field === 'status' && recorded !== PENDING);

/** Quickly recognises most repetitions. `differencesBetween` is slower, because it formats all fields. */
function isEqual(recorded: Transaction, given: Transaction): boolean {
  for (const name in recorded)
    if (recorded[name as keyof Transaction] !== given[name as keyof Transaction]) return false;
  return true;
}
