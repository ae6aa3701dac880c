import type { Example } from '../../../http/schemas/responses.ts';
import { FIRST_TIMESTAMP_MS, formatTimestamp } from '../../../values/calendar.ts';
import { EXAMPLE_TRANSACTIONS } from '../../http/transaction-examples.ts';
import { transactionBody } from '../../http/transaction-schemas.ts';

/** The response to `GET /v1/search?amount=13.50` of the example account. */
export const SEARCH_EXAMPLES = {
  amount: {
    summary: 'The transactions of one amount',
    value: {
      data: EXAMPLE_TRANSACTIONS.filter(({ amountMinor }) => amountMinor === 1350).map(transactionBody),
      searchedBackTo: formatTimestamp(FIRST_TIMESTAMP_MS),
      nextCursor: null,
      hasMore: false,
    },
  },
} satisfies Record<string, Example>;
