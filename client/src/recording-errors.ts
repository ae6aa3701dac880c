import { InvalidRequestError, type Problem, type ProblemError, problemError } from './errors.ts';
import type { Difference, FieldFault } from './recording.ts';
import { isObject } from './response.ts';

const listOf = <Item>(value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []) as Item[];

/** 409 transaction_conflict: the transaction is recorded with other fields. Sending it again does not help. */
export class TransactionConflictError extends InvalidRequestError {
  override readonly name: string = 'TransactionConflictError';
  readonly differences: readonly Difference[];

  constructor(problem: Problem) {
    super(problem);
    this.differences = listOf(problem.document['differences']);
  }
}

/** 409 idempotency_key_reused: the key was used for a transaction with other fields. A new transaction needs a new key. */
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

/** An error of the class for its code, also of those of recording. */
export function recordingError(problem: Problem): ProblemError {
  const { code } = problem;
  if (code === 'transaction_conflict') return new TransactionConflictError(problem);
  if (code === 'idempotency_key_reused') return new IdempotencyKeyReusedError(problem);
  if (code === 'invalid_fields') return new InvalidFieldsError(problem);
  return problemError(problem);
}
