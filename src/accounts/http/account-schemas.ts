import { type Static, Type } from '../../http/schemas/type.ts';
import { DEFAULT_ACCOUNTS, MAX_ACCOUNTS } from '../account-query.ts';

export const Account = Type.Object(
  {
    account: Type.String(),
    headSequence: Type.Integer({
      description: 'The number of its last change. 0 for an account that only has keys.',
    }),
    keys: Type.Integer({ description: 'How many of its keys are accepted now.' }),
  },
  { $id: 'Account', title: 'Account', additionalProperties: false },
);

export const AccountPage = Type.Object(
  {
    data: Type.Array(Type.Ref(Account), { description: 'In the order of the bytes of their names.' }),
    hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
  },
  { $id: 'AccountPage', title: 'AccountPage', additionalProperties: false },
);
export type AccountPageBody = Static<typeof AccountPage>;

/** The query parameters of a request for accounts. */
export const listAccountsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description: 'Accounts after this one are returned: the last account of the page before.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ACCOUNTS,
        default: DEFAULT_ACCOUNTS,
        description: 'The most accounts of the page.',
      }),
    ),
  },
  { additionalProperties: false },
);
