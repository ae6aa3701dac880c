import { capability } from '../capability.ts';
import { listAccountsOperation } from './http/list-accounts.ts';

/** Finding accounts. */
export const ACCOUNTS = capability({
  operations: [listAccountsOperation],
});
