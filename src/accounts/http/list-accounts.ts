import { EXAMPLES } from '../../http/examples.ts';
import { type Context, callerOf, defineOperation } from '../../http/operations/operation.ts';
import { PAGE_HEADERS, PAGE_QUERY, type PageContext, pageOf, readPage } from '../../http/operations/page.ts';
import { jsonResponse } from '../../http/schemas/responses.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { CHANGE_ID_FORM } from '../../ledger/changes/change.ts';
import type { AccountLister } from '../account.ts';

const AccountSchema = Type.Object(
  {
    account: Type.String(),
    headSequence: Type.Integer({
      description: 'The number of its last change. 0 for an account that only has keys.',
    }),
    headId: Type.Nullable({
      description: 'The id of that change. Null without one.',
      pattern: CHANGE_ID_FORM,
    }),
  },
  { $id: 'Account', title: 'Account' },
);

export type AccountBody = Static<typeof AccountSchema>;

const AccountPageSchema = pageOf(
  'AccountPage',
  Type.Ref(AccountSchema),
  'In the order of the bytes of their names.',
);

export const listAccountsOperation = defineOperation({
  method: 'GET',
  operator: {
    id: 'listAccounts',
    path: '/v1/accounts',
    access: 'read',
    tag: 'looking up',
    summary: 'List accounts',
    description:
      'An account exists when a transaction of it is recorded, or a key is created for it. ' +
      'A key with an account prefix gets the accounts that begin with it. A program that stores the last change of each account need only read the accounts whose last change differs.',
  },
  query: PAGE_QUERY,
  responses: {
    200: jsonResponse('A page of accounts.', Type.Ref(AccountPageSchema), EXAMPLES.accounts, PAGE_HEADERS),
  },
  handler: (context: Context<AccountLister> & PageContext) => (request, reply) => {
    const { accountPrefix: prefix } = callerOf(request);
    return readPage(context, request.query, reply, {
      name: 'accounts',
      read: (place: readonly [string] | null, limit) =>
        context.store.listAccounts({ after: place?.[0] ?? null, prefix }, limit),
      positionOf: ({ account }) => [account] as const,
    });
  },
});
