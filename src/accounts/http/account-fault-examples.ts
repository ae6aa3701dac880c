import { faulty } from '../../http/reference/examples/problem-example.ts';
import { explainIdentifier } from '../../ledger/transaction.ts';

export const ACCOUNTS = '/v1/accounts';

const NOT_AN_ACCOUNT = `after ${explainIdentifier('store 1')}. Send the last account of the page before, or omit after for the first page.`;

export const ACCOUNT_FAULT_EXAMPLES = {
  invalid_account: faulty('invalid_account', 'after=store%201', 'after', NOT_AN_ACCOUNT, {}, ACCOUNTS),
};
