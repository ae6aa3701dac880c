/* The tests that must fail where a statement forgets the account. */

export const LIST_TEST = 'separates accounts, also those whose names begin alike';
export const FIND_TEST = 'retrieves a transaction by its reference in its own account only';
export const RECORD_TEST = 'of one reference in two accounts compares and changes the given account only';
export const IMPORT_TEST =
  'of a reference that another account also has is compared with its own account only';
export const ONCE_TEST = 'under one idempotency key in two accounts returns the reference of each';
export const KEYS_TEST = 'are listed oldest first, for all accounts or for one';
export const ROLL_TEST =
  'that are revoked, expired, unknown or of another account are not rolled, and no new one is stored';
export const HASH_TEST = 'are found by their hash, with every stored field';

export const CHANGES_TEST = 'belong to one account: each has its own numbers, also in one group';
export const NUMBERING_TEST =
  'there is none until they are numbered, in the order of createdAt and reference';
export const UNNUMBERED_TEST =
  'a pending one that is completed before it is numbered gets one number, as completed, in its account only';

export const TOTALS_TEST = 'belong to one account, also while they are folded';
export const UNNUMBERED_TOTALS_TEST =
  'are refused while the account has transactions without numbers, and only then';

export const EXPORTED_TEST = 'read and sum the rows of their own account only';
export const COUNTED_TEST = 'of an account that has too many are not stored, until earlier ones have expired';
export const EXPORT_TEST = 'are found as they were stored, by their id, in their own account only';
export const REPLACED_TEST =
  'are replaced only if nobody has replaced them meanwhile, in their own account only';
