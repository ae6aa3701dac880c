import type { Example } from '../../http/schemas/responses.ts';

/** The response to `GET /v1/accounts`. */
export const ACCOUNT_EXAMPLES = {
  all: {
    summary: 'All accounts: the second one only has keys',
    value: {
      data: [
        { account: 'store-1', headSequence: 12 },
        { account: 'store-2', headSequence: 0 },
      ],
      nextCursor: null,
      hasMore: false,
    },
  },
} satisfies Record<string, Example>;
