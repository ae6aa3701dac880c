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
export type {
  AccountSession,
  AccountSessions,
  CreatedSession,
  ListedSession,
  NewSession,
} from './account-sessions.ts';
export type { Batch, BatchProgress } from './batch.ts';
export * from './common.ts';
export { type Account, type ListedAccount, PlatformClient } from './platform-client.ts';
export {
  type BatchResult,
  type BatchTransaction,
  type Created,
  type Difference,
  type FieldFault,
  IdempotencyKeyReusedError,
  InvalidFieldsError,
  type NewTransaction,
  type Outcome,
  type Recorded,
  TransactionConflictError,
} from './recording.ts';
