import { LABEL_MAX_CHARACTERS } from '../../core/access/api-key.ts';
import { type Static, Type } from './type.ts';

const keyFields = {
  id: Type.String({
    description: 'Identifies the key. It is not a secret.',
    examples: ['key_0123456789abcdef'],
  }),
  account: Type.String(),
  label: Type.Nullable({ description: 'What the key is for.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.Nullable({ description: 'The time from which the key is refused; null for never.' }),
};

export const CreatedKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself. It is shown only in this response.' }) },
  { $id: 'CreatedKey', title: 'CreatedKey', additionalProperties: false },
);

export type CreatedKey = Static<typeof CreatedKey>;

export const ListedKey = Type.Object(
  {
    ...keyFields,
    state: Type.Enum(['active', 'revoked', 'expired']),
    revokedAt: Type.Nullable({ description: 'Null if it was not revoked.' }),
    lastUsedAt: Type.Nullable({ description: 'Null if it was never used. Updated about once a minute.' }),
  },
  { $id: 'ListedKey', title: 'ListedKey', additionalProperties: false },
);
export type ListedKey = Static<typeof ListedKey>;

export const KeyRequest = Type.Object(
  {
    label: Type.Optional(Type.Nullable({ description: `At most ${LABEL_MAX_CHARACTERS} characters.` })),
    expiresAt: Type.Optional(Type.Nullable({ description: 'A time in the future, or null.' })),
  },
  {
    $id: 'KeyRequest',
    title: 'KeyRequest',
    examples: [{ label: 'webshop', expiresAt: '2027-06-15T00:00:00.000Z' }],
  },
);
