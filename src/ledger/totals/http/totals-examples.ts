import { example, TOTALS } from '../../../http/problems/problem-example.ts';
import type { Example } from '../../../http/schemas/responses.ts';

/** The responses to `GET /v1/totals`, and to `currency=USD&by=day`, of the example account. */
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
    },
  },
} satisfies Record<string, Example>;

const MISSPELT =
  '"curency" is not a parameter: did you mean currency? The parameters are status, currency, from, to, by.';
const MONTH =
  '"month" is not a period by which totals are split. Send by=day, or omit by to add all days up.';
const NO_PAGES = 'Totals are not divided into pages: omit limit.';
const TWICE = 'currency is sent more than once. Send it once.';

/** Errors of a request for totals, where those of the list do not fit. */
export const TOTALS_PROBLEM_EXAMPLES = {
  invalid_request: example(
    { target: `${TOTALS}?curency=EUR&by=month` },
    'The request has 2 faults: see errors.',
    {
      errors: [
        { parameter: 'curency', code: 'unknown_parameter', detail: MISSPELT },
        { parameter: 'by', code: 'invalid_by', detail: MONTH },
      ],
    },
  ),
  unknown_parameter: example({ target: `${TOTALS}?limit=50` }, NO_PAGES, {
    errors: [{ parameter: 'limit', code: 'unknown_parameter', detail: NO_PAGES }],
  }),
  duplicate_parameter: example({ target: `${TOTALS}?currency=EUR&currency=USD` }, TWICE, {
    errors: [{ parameter: 'currency', code: 'duplicate_parameter', detail: TWICE }],
  }),
} as const;
