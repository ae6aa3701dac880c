import { type Static, Type } from '../../http/schemas/type.ts';
import { SCOPES } from '../scopes.ts';

/** What the key of a request is for. */
export const Key = Type.Object(
  {
    account: Type.String({ description: 'The account that the key reads.', examples: ['store-1'] }),
    id: Type.String({
      description: 'Identifies the key, for the operator. It is not a secret.',
      examples: ['key_0123456789abcdef'],
    }),
    scopes: Type.Array(Type.Enum(SCOPES.account), {
      description: 'What the key can do.',
      examples: [['read']],
    }),
    expiresAt: Type.Nullable({
      description: 'The time from which the key is refused; null for never.',
    }),
  },
  { $id: 'Key', title: 'Key' },
);

export type KeyBody = Static<typeof Key>;
