import type { OptionalTexts } from '../../values/interface/fields.ts';
import { InvalidRequestError, type Problem, type ProblemError, problemError } from './errors.ts';
import { isObject } from './response.ts';
import type { Transaction } from './transaction.ts';

export interface NewTransaction extends OptionalTexts<string | null | undefined> {
  /** At most 255 characters. Default: null. */
  merchantReference?: string | null | undefined;
  /** `pending`, `completed`, or a status that the operator has declared. */
  status: string;
  /** A decimal number with at most two decimals, as a string. */
  amount: string;
  /** ISO 4217. */
  currencyCode: string;
  /** UTC, with up to three decimals of a second; null while the transaction is unpaid. Default: null. */
  paidAt?: string | null | undefined;
  /** UTC, with up to three decimals of a second. */
  createdAt: string;
  /** At most 16 texts of 1 to 255 characters, never a card number. Names contain only a-z, A-Z and 0-9. */
  details?: Readonly<Record<string, string>> | null | undefined;
}

export interface BatchTransaction extends NewTransaction {
  account: string;
  /** Unique in the account. */
  reference: string;
}

/** `unchanged` means that the same transaction was recorded before. Accept outcomes that are not listed. */
export type Outcome = 'recorded' | 'changed' | 'unchanged' | (string & {});

export interface Recorded {
  outcome: Outcome;
  /** The number of the change that recorded these values. */
  sequence: number;
  /** The id of this change in the change feed and in deliveries. */
  changeId: string;
  transaction: Transaction;
}

export interface Created extends Recorded {
  idempotencyKey: string;
  /** True if an earlier request with this key recorded the transaction. */
  isReplayed: boolean;
}

export interface Difference {
  field: string;
  recorded: unknown;
  given: unknown;
}

export interface FieldFault {
  /** A JSON pointer to the field, such as /amount. It is empty if the fault is in the whole body. */
  pointer: string;
  code: string;
  detail: string;
}

export interface BatchResult {
  /** The number of the transaction in the batch, from 1. */
  line: number;
  transaction: BatchTransaction;
  /**
   * An `unavailable` transaction may have been recorded. Recording it again is safe. A `failed` transaction
   * would fail again.
   */
  outcome: Outcome | 'conflict' | 'invalid' | 'unavailable' | 'failed';
  /** Only if the outcome is `invalid`. */
  errors?: FieldFault[];
  /** Only if the outcome is `conflict`. */
  differences?: Difference[];
}

const listOf = <Item>(value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []) as Item[];

/** 409 transaction_conflict: the transaction is recorded with other fields. Repeating does not help. */
export class TransactionConflictError extends InvalidRequestError {
  override readonly name: string = 'TransactionConflictError';
  readonly differences: readonly Difference[];

  constructor(problem: Problem) {
    super(problem);
    this.differences = listOf(problem.document['differences']);
  }
}

/** 409 idempotency_key_reused: the key was used for a transaction with other fields. Use a new key. */
export class IdempotencyKeyReusedError extends TransactionConflictError {
  override readonly name = 'IdempotencyKeyReusedError';
}

/** 422 invalid_fields: nothing was recorded, and `fieldFaults` lists each wrong field. */
export class InvalidFieldsError extends InvalidRequestError {
  override readonly name = 'InvalidFieldsError';
  readonly fieldFaults: readonly FieldFault[];

  constructor(problem: Problem) {
    super(problem);
    this.fieldFaults = listOf(problem.document['errors']);
  }
}

export function recordingError(problem: Problem): ProblemError {
  const { code } = problem;
  if (code === 'transaction_conflict') return new TransactionConflictError(problem);
  if (code === 'idempotency_key_reused') return new IdempotencyKeyReusedError(problem);
  if (code === 'invalid_fields') return new InvalidFieldsError(problem);
  return problemError(problem);
}
