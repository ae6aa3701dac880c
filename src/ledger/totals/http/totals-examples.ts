import type { Example } from '../../../http/schemas/responses.ts';
import { changeId } from '../../changes/change.ts';

/** The transactions of the example account are recorded together: the nonce of their commit is 1. */
export const EXAMPLE_LAST_ID = changeId('store-1', { sequence: 13, nonce: 1 });

/** The responses to `GET /v1/totals`, to `currency=USD&by=day` and to `currency=USD&by=month`, of the example account. */
export const TOTALS_EXAMPLES = {
  all: {
    summary: 'All transactions of an account',
    value: {
      data: [
        { currencyCode: 'EUR', status: 'completed', count: 8, amount: '148.00' },
        { currencyCode: 'EUR', status: 'pending', count: 1, amount: '25.50' },
        { currencyCode: 'USD', status: 'completed', count: 4, amount: '80.00' },
      ],
      asOf: 13,
      asOfId: EXAMPLE_LAST_ID,
    },
  },
  byDay: {
    summary: 'One currency by day',
    value: {
      data: [
        { day: '2026-03-21', currencyCode: 'USD', status: 'completed', count: 1, amount: '15.50' },
        { day: '2026-03-24', currencyCode: 'USD', status: 'completed', count: 1, amount: '18.50' },
        { day: '2026-03-27', currencyCode: 'USD', status: 'completed', count: 1, amount: '21.50' },
        { day: '2026-03-30', currencyCode: 'USD', status: 'completed', count: 1, amount: '24.50' },
      ],
      asOf: 13,
      asOfId: EXAMPLE_LAST_ID,
    },
  },
  byMonth: {
    summary: 'One currency by month',
    value: {
      data: [{ month: '2026-03', currencyCode: 'USD', status: 'completed', count: 4, amount: '80.00' }],
      asOf: 13,
      asOfId: EXAMPLE_LAST_ID,
    },
  },
} satisfies Record<string, Example>;
