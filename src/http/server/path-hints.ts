import type { CountedListener } from '../telemetry/http-metrics.ts';

/** Requests that are often sent to a listener and never possible there, by their method and path, with what to do. */
const HINTS: readonly { listener: CountedListener; request: RegExp; detail: string }[] = [
  {
    listener: 'public',
    request: /^(PATCH|PUT|POST|DELETE) \/v1\/transactions(\/|$)/,
    detail:
      'A recorded transaction is never edited or deleted, and a refund is a transaction of its own. The platform records them, on the listener of the operator.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?\/v1\/(accounts|batch)(\/|$)/,
    detail:
      'Paths that name an account, and recording, are on the listener of the operator, for keys of the operator.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/(payments?|charges?|balance_transactions|events|refunds?)(\/|$)/i,
    detail: 'Transactions are at /v1/transactions, and their changes at /v1/changes.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/(balances?|sums?|stats|statistics|summary|reports?)(\/|$)/i,
    detail: 'Counts and sums are at /v1/totals.',
  },
  {
    listener: 'operator',
    request: /^\w+ (\/api)?\/v1\/(transactions|search|totals|changes)(\/|$)/,
    detail: 'The operator names the account in the path: /v1/accounts/{account}/transactions.',
  },
];

/** What to do instead of a request that no route answers, or undefined. */
export const hintForPath = (sentTo: CountedListener, method: string, path: string): string | undefined =>
  HINTS.find(({ listener, request }) => listener === sentTo && request.test(`${method} ${path}`))?.detail;
