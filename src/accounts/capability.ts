import { capability } from '../capability.ts';
import { listAccountsOperation } from './http/list-accounts.ts';

export const ACCOUNTS = capability({
  operations: [listAccountsOperation],
});
