import { LABEL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { SCOPES, type Scope } from '../../../values/scopes.ts';
import { pageOf } from '../../http/operations/page.ts';
import { type Static, Type } from '../../http/schemas/type.ts';
import { DEFAULT_SCOPES } from '../api-key.ts';
import { DEFAULT_GRACE } from '../roll-key.ts';

export const nullableTime = (description: string) => Type.Nullable({ format: 'date-time', description });

const scopes = Type.Array(Type.OpenEnum<Scope>(SCOPES.account), {
  description:
    'What the key can do. read: every operation that reads transactions, changes, totals and exports. webhooks: the operations that decide where the changes of the account are delivered.',
  examples: [['read']],
});

const keyFields = {
  id: Type.String({
    description: 'Identifies the key. It is not a secret.',
    examples: ['key_0123456789abcdef'],
  }),
  account: Type.String(),
  keyStart: Type.String({
    description: 'How the key begins: tk_live_ and 6 of its 30 random characters, to recognise a leaked key.',
  }),
  label: Type.Nullable({ description: 'The purpose of the key.' }),
  scopes,
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: nullableTime('The time from which the key is refused; null for never.'),
};

export const CreatedKeySchema = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself. It is shown only in this response.' }) },
  { $id: 'CreatedKey', title: 'CreatedKey' },
);

export type CreatedKeyBody = Static<typeof CreatedKeySchema>;

const ListedKeySchema = Type.Object(
  {
    ...keyFields,
    state: Type.OpenEnum(['active', 'revoked', 'expired']),
    revokedAt: nullableTime('Null if it was not revoked.'),
    rolledAt: nullableTime(
      'When another key replaced it. It is accepted until expiresAt. Null if it was not rolled.',
    ),
    lastUsedAt: nullableTime('Null if it was never used. Updated about once a minute.'),
  },
  { $id: 'ListedKey', title: 'ListedKey' },
);
export type ListedKeyBody = Static<typeof ListedKeySchema>;

export const KeyPageSchema = pageOf('KeyPage', Type.Ref(ListedKeySchema), 'Oldest first.');

export const KeyRequestSchema = Type.Object(
  {
    label: Type.Optional(Type.Nullable({ description: `At most ${LABEL_MAX_CHARACTERS} characters.` })),
    scopes: Type.Optional(
      Type.Array(Type.Enum(SCOPES.account), {
        description: `What the key can do; ${DEFAULT_SCOPES.account.join(' and ')} if it is absent.`,
      }),
    ),
    expiresAt: Type.Optional(nullableTime('A time in the future, or null.')),
  },
  {
    $id: 'KeyRequest',
    title: 'KeyRequest',
    examples: [{ label: 'webshop', scopes: ['read'], expiresAt: '2027-06-15T00:00:00.000Z' }],
  },
);

export const RollRequestSchema = Type.Object(
  {
    grace: Type.Optional(
      Type.String({
        description: `The time during which the old key is still accepted: 0, or a number with s, m, h or d, of at most 30d. ${DEFAULT_GRACE} if it is absent.`,
        examples: [DEFAULT_GRACE, '90s', '7d'],
      }),
    ),
    expiresAt: Type.Optional(
      nullableTime(
        'When the new key expires: a time in the future, or null for never. If it is absent, the new key gets the lifetime of the old key, in whole days if the old key expires at the end of a day.',
      ),
    ),
  },
  { $id: 'RollRequest', title: 'RollRequest', examples: [{ grace: DEFAULT_GRACE }] },
);

export const RolledKeySchema = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: 'The new key itself. It is shown only in this response.' }),
    replaced: Type.Object(
      {
        id: Type.String({ description: 'The id of the old key.' }),
        expiresAt: nullableTime('The time from which the old key is refused.'),
      },
      {},
    ),
  },
  { $id: 'RolledKey', title: 'RolledKey' },
);
export type RolledKeyBody = Static<typeof RolledKeySchema>;

export const KeySchema = Type.Object(
  {
    account: Type.String({ description: 'The account that the key reads.', examples: ['store-1'] }),
    id: Type.String({
      description: 'Identifies the key or the session, for the operator. It is not a secret.',
      examples: ['key_0123456789abcdef'],
    }),
    kind: Type.OpenEnum(['key', 'session'], 'A session is for one person.'),
    person: Type.Nullable({ description: 'The person of a session; null for a key.' }),
    scopes: Type.Array(Type.OpenEnum<Scope>(SCOPES.account), {
      description: 'What the key can do.',
      examples: [['read']],
    }),
    expiresAt: nullableTime('The time from which the key is refused; null for never.'),
  },
  { $id: 'Key', title: 'Key' },
);

export type KeyBody = Static<typeof KeySchema>;
