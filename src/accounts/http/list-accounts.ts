import { callerOf } from '../../http/access/caller.ts';
import { DEFAULT_ITEMS, limitParameter } from '../../http/operations/limit-parameter.ts';
import { type Context, defineOperation } from '../../http/operations/operation.ts';
import { type QueryParameter, readQuery } from '../../http/operations/query.ts';
import { PROBLEMS } from '../../http/problems/problems.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { explainIdentifier, isIdentifier } from '../../ledger/transaction.ts';
import type { AccountLister } from '../account.ts';
import { ACCOUNT_EXAMPLES, ACCOUNT_PROBLEMS, ACCOUNTS } from './account-examples.ts';

const Account = Type.Object(
  {
    account: Type.String(),
    headSequence: Type.Integer({
      description: 'The number of its last change. 0 for an account that only has keys.',
    }),
    keys: Type.Integer({ description: 'How many of its keys are accepted now.' }),
  },
  { $id: 'Account', title: 'Account' },
);

const AccountPage = Type.Object(
  {
    data: Type.Array(Type.Ref(Account), { description: 'In the order of the bytes of their names.' }),
    hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
  },
  { $id: 'AccountPage', title: 'AccountPage' },
);

const QUERY = {
  after: {
    schema: Type.String({
      description: 'Accounts after this one are returned: the last account of the page before.',
    }),
    isValid: isIdentifier,
    fault: (value) => ({
      code: 'invalid_account',
      detail: `after ${explainIdentifier(value)}. Send the last account of the page before, or omit after for the first page.`,
    }),
  },
  limit: limitParameter('accounts', 'the last account'),
} as const satisfies Record<string, QueryParameter<'invalid_account' | 'invalid_limit'>>;

const KINDS = { ...ACCOUNT_PROBLEMS, invalid_limit: PROBLEMS.invalid_limit };

/** Lists the accounts of the service, of which a key with a prefix gets those that begin with it. */
export const listAccounts = defineOperation({
  method: 'GET',
  operator: {
    id: 'listAccounts',
    path: ACCOUNTS,
    access: 'read',
    tag: 'looking up',
    summary: 'List the accounts',
    description:
      'An account exists when a transaction of it is recorded, or a key is created for it. To continue, send the last account as after. ' +
      'A key with an account prefix gets the accounts that begin with it.',
  },
  query: QUERY,
  responses: { 200: jsonResponse('A page of accounts.', Type.Ref(AccountPage), ACCOUNT_EXAMPLES) },
  problems: Object.values(KINDS),
  handler:
    ({ store, now }: Context<AccountLister>) =>
    async (request): Promise<Static<typeof AccountPage>> => {
      const read = readQuery(request.query, QUERY, KINDS);
      const limit = Number(read.limit ?? DEFAULT_ITEMS);
      const query = { after: read.after ?? null, prefix: callerOf(request).accountPrefix, nowMs: now() };
      const accounts = await store.listAccounts(query, limit + 1);
      return { data: accounts.slice(0, limit), hasMore: accounts.length > limit };
    },
});
