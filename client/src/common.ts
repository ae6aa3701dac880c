export type { AccountReader } from './account-reader.ts';
export { fromMinorUnits, toMinorUnits } from './amount.ts';
export type { Change, ChangePage, ChangeQuery, ChangeType } from './change.ts';
export type { ChangeFeed, FeedPage, RewindableCopy, SavedFeed } from './change-feed.ts';
export type { Changes } from './changes.ts';
export type { ClientOptions } from './client-options.ts';
export {
  ArgumentError,
  AuthenticationError,
  ChangesArchivedError,
  ConnectionError,
  CursorExpiredError,
  CursorMalformedError,
  type ErrorCode,
  ExportDamagedError,
  HistoryChangedError,
  InvalidRequestError,
  NotFoundError,
  type ParameterFault,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  RequestTimeoutError,
  SequenceAheadError,
  ServiceError,
  TransactionsError,
  UnexpectedResponseError,
} from './errors.ts';
export type { Export, ExportOptions, ExportRestart } from './export.ts';
export type { ExportFilters, ExportFormat, ExportManifest, ExportQuery } from './export-manifest.ts';
export type { CreateOptions } from './idempotency-key.ts';
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
export type { Totals, TotalsQuery, TotalsRow } from './totals.ts';
export type {
  ListFilters,
  PageQuery,
  Transaction,
  TransactionPage,
  TransactionStatus,
} from './transaction.ts';
export type { ListPage, SavedPosition, TransactionList } from './transaction-list.ts';
export type { TransactionReader } from './transaction-reader.ts';
