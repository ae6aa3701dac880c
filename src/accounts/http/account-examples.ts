import type { Example } from '../../http/schemas/responses.ts';
import { changeId } from '../../ledger/changes/change-id.ts';

/** The response to `GET /v1/accounts`. */
export const ACCOUNT_EXAMPLES = {
  all: {
    summary: 'All accounts: the second one only has keys',
    value: {
      data: [
        { account: 'store-1', headSequence: 12, headId: changeId('store-1', { sequence: 12, nonce: 1 }) },
        { account: 'store-2', headSequence: 0, headId: null },
      ],
      nextCursor: null,
      hasMore: false,
    },
  },
} satisfies Record<string, Example>;
