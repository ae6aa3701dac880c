import { LABEL_MAX_CHARACTERS } from '../../core/api-key.ts';
import { COMPLETED_EXAMPLE } from '../reference/examples/transactions.ts';
import { type Static, Type } from './type.ts';

const amount = Type.String({
  description: 'A decimal number with at most two decimals, as a string.',
  examples: ['12.50'],
});
const time = (description: string) =>
  Type.String({
    description: `${description} UTC, at most milliseconds.`,
    examples: ['2026-03-31T09:30:00.000Z'],
  });

/** The account in a path. */
export const accountParameter = Type.String({
  description: '1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", but not "." or "..".',
  examples: ['store-1'],
});

/** A transaction as the operator writes it. The rules themselves stand in core/parse-transaction.ts. */
const factFields = {
  merchantReference: Type.Optional(Type.Nullable({ description: "The merchant's own reference, or null." })),
  status: Type.String({
    description: 'pending, completed, or a status of the operator.',
    examples: ['completed'],
  }),
  amount,
  currencyCode: Type.String({ description: 'ISO 4217.', examples: ['EUR'] }),
  paidAt: Type.Optional(
    Type.Nullable({ description: 'Time of payment, or null while it has not been paid.' }),
  ),
  createdAt: time('Time of creation.'),
};

const { reference: EXAMPLE_REFERENCE, ...EXAMPLE_FACT } = COMPLETED_EXAMPLE;

export const TransactionFact = Type.Object(factFields, {
  $id: 'TransactionFact',
  title: 'TransactionFact',
  examples: [EXAMPLE_FACT],
});

/** A line of a batch. */
export const BatchLine = Type.Object(
  {
    account: Type.String({ description: 'Whose transaction it is.' }),
    reference: Type.String({ description: 'Unique in the account.' }),
    ...factFields,
  },
  {
    $id: 'BatchLine',
    title: 'BatchLine',
    examples: [{ account: 'store-1', reference: EXAMPLE_REFERENCE, ...EXAMPLE_FACT }],
  },
);

const keyFields = {
  id: Type.String({ description: 'Names the key, and opens nothing.', examples: ['key_0123456789abcdef'] }),
  account: Type.String(),
  label: Type.Nullable({ description: 'What the key is for.' }),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: Type.Nullable({ description: 'Refused from this time on; null for never.' }),
};

export const CreatedKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Shown this once.' }) },
  { $id: 'CreatedKey', title: 'CreatedKey', additionalProperties: false },
);

export type CreatedKey = Static<typeof CreatedKey>;

export const ListedKey = Type.Object(
  {
    ...keyFields,
    state: Type.Enum(['active', 'revoked', 'expired']),
    revokedAt: Type.Nullable({ description: 'Null where it was not revoked.' }),
    lastUsedAt: Type.Nullable({ description: 'Null where it was never used; noted about once a minute.' }),
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

export const BatchResult = Type.Object(
  {
    line: Type.Integer({ description: 'The line of the stream, counted from 1.' }),
    outcome: Type.Enum(['recorded', 'changed', 'unchanged', 'conflict', 'invalid', 'unavailable', 'failed'], {
      description:
        'Send a line that is unavailable again. One that failed fails again: the log has the cause.',
    }),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }))),
    differences: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String(),
          recorded: Type.Nullable({}),
          given: Type.Nullable({}),
        }),
      ),
    ),
  },
  { $id: 'BatchResult', title: 'BatchResult', additionalProperties: false },
);
export type BatchResult = Static<typeof BatchResult>;
