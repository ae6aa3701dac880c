import { capability } from '../capability.ts';
import { listAccounts } from './http/list-accounts.ts';

/** Finding accounts. */
export const ACCOUNTS = capability({
  operations: [listAccounts],
});
