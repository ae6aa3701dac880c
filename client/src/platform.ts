/** The second entry of the package: `transactions-client/platform`, for platforms that record. */
export { fromMinorUnits, toMinorUnits } from './amount.ts';
export type { Batch, BatchProgress } from './batch.ts';
export type { ClientOptions } from './client-options.ts';
export type { ErrorCode } from './error-codes.ts';
export {
  ArgumentError,
  AuthenticationError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
export { type CreateOptions, PlatformClient } from './platform-client.ts';
export type {
  BatchResult,
  BatchTransaction,
  Created,
  Difference,
  FieldFault,
  NewTransaction,
  Outcome,
  Recorded,
} from './recording.ts';
export {
  IdempotencyKeyReusedError,
  InvalidFieldsError,
  TransactionConflictError,
} from './recording-errors.ts';
export type { Fetch } from './request.ts';
export {
  type Hooks,
  type RequestInfo,
  type ResponseInfo,
  type RetryInfo,
  responseOf,
} from './response-info.ts';
export type { RequestOptions } from './send.ts';
export type { Transaction, TransactionStatus } from './transaction.ts';
