/** The second entry of the package: `transactions-client/platform`, for platforms that record. */
export type {
  AccountKey,
  AccountKeys,
  CreatedKey,
  KeyRoll,
  ListedKey,
  NewKey,
  RolledKey,
  Scope,
} from './account-keys.ts';
export { fromMinorUnits, toMinorUnits } from './amount.ts';
export type { Batch, BatchProgress } from './batch.ts';
export type { ClientOptions } from './client-options.ts';
export type { ErrorCode } from './error-codes.ts';
export {
  ArgumentError,
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  InvalidRequestError,
  NotFoundError,
  type ParameterFault,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
export { type Account, type CreateOptions, PlatformClient } from './platform-client.ts';
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
export type { SearchPage, SearchQuery } from './search.ts';
export type { RequestOptions } from './send.ts';
export { toDate, utcDay } from './time.ts';
export type {
  ListFilters,
  PageQuery,
  Transaction,
  TransactionPage,
  TransactionStatus,
} from './transaction.ts';
export type { ListPage, SavedPosition, TransactionList } from './transaction-list.ts';
export type { TransactionReader } from './transaction-reader.ts';
