/* The tests that must fail where a statement forgets the account. */

export const LIST_TEST = 'separates accounts, also those whose names begin alike';
export const FIND_TEST = 'retrieves a transaction by its reference in its own account only';
export const RECORD_TEST = 'of one reference in two accounts compares and changes the given account only';
export const IMPORT_TEST =
  'of a reference that another account also has is compared with its own account only';
export const ONCE_TEST = 'under one idempotency key in two accounts returns the reference of each';
export const KEYS_TEST = 'are listed in pages, by account and oldest first, for all accounts or for one';
export const ROLL_TEST =
  'that are revoked, expired, unknown or of another account are not rolled, and no new one is stored';
export const HASH_TEST = 'are found by their hash, and by their id, with every stored field';

export const CHANGES_TEST = 'belong to one account: each has its own numbers, also in one group';
export const TRANSACTION_CHANGES_TEST = 'of one transaction are those of the feed of its own account';

export const TOTALS_TEST = 'belong to one account, also while changes are added';

export const EXPORTED_TEST = 'read and sum the rows of their own account only';
export const COUNTED_TEST = 'of an account that has too many are not stored, until earlier ones have expired';
export const EXPORT_TEST = 'are found as they were stored, by their id, in their own account only';
export const REPLACED_TEST =
  'are replaced only if nobody has replaced them meanwhile, in their own account only';

export const WEBHOOKS_TEST =
  'are found and listed as they were stored, oldest first, in their own account only';
export const WEBHOOK_COUNTS_TEST = 'are counted with their failures, each endpoint of each account by itself';
export const WEBHOOK_LIMIT_TEST = 'are not created beyond the limit of their account';
export const WEBHOOK_REPLACED_TEST = 'are replaced only as the next version, in their own account only';
export const WEBHOOK_REPLAYED_TEST =
  'are replayed from a number: the failures after it are removed, in their own account only';
export const WEBHOOK_DELETED_TEST = 'are deleted with their failures, in their own account only';
export const WEBHOOK_FAILURES_TEST = 'list their failures by number, page by page';
export const WEBHOOK_RETRIED_TEST =
  'have failures that are due at once when a request retries them, in their own account only';
export const WEBHOOK_PROGRESS_TEST = 'store progress with its failures, in their own account only';
export const WEBHOOK_STALE_TEST = 'store no progress from before a replay or a restored backup';
export const WEBHOOK_DELIVERABLE_TEST =
  'are deliverable while they are enabled, by the bucket of their account';
export const WEBHOOK_DISABLED_TEST =
  'are disabled for their version only, in their own account only, and are deliverable no more';
