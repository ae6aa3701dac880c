import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wrongLetters } from '../../../values/nearest.ts';
import { Problem } from '../../../values/problem.ts';
import { quote } from '../../../values/quote.ts';
import { sendProblem } from '../problems/problem.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';

/** Answers before Fastify checks the type of the body, because Fastify refuses some types. */
export function answerNotFound(app: FastifyInstance, listener: CountedListener): void {
  const { methodsOf, urls } = collectRoutes(app);

  const problemOf = (request: FastifyRequest) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsOf(path);
    const hint = hintForPath(listener, request.method, path);
    if (methods.length === 0) {
      // The target * of OPTIONS stands for the whole server. It is no misspelt path.
      const meant = path === '/*' ? undefined : nearestPath(path, [...urls]);
      const detail =
        `There is no resource at ${quote(path)}${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
        (hint ?? 'The reference at /docs has all operations.');
      return new Problem('not_found', detail);
    }
    const allow = methods.join(', ');
    return new Problem(
      'method_not_allowed',
      `${quote(path)} takes ${allow}, not ${request.method}.${hint === undefined ? '' : ` ${hint}`}`,
      { headers: { allow } },
    );
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    sendProblem(reply, problemOf(request));
  });
}

function collectRoutes(app: FastifyInstance) {
  const urls = new Set<string>();
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll('.', '\\.')
        .replaceAll(/:[a-z]+/gi, '[^/]+')
        .replaceAll('*', '.*')}$`,
    );
    if (!url.includes('*')) urls.add(url);
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  const methodsOf = (path: string) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  };
  return { methodsOf, urls };
}

function nearestPath(sent: string, urls: readonly string[]): string | undefined {
  const path = tidied(sent);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const url of urls) {
    const distance = Math.min(distanceOf(path, url), distanceOf(`/v1${path}`, url));
    if (distance < bestDistance) {
      best = url;
      bestDistance = distance;
    }
  }
  return best?.replaceAll(/:(\w+)/g, '{$1}');
}

/** Returns Infinity if `path` differs too much from `url`. A parameter of `url` matches any segment. */
function distanceOf(path: string, url: string): number {
  const segments = path.split('/');
  const known = url.split('/');
  if (segments.length !== known.length) return Number.POSITIVE_INFINITY;
  return known.reduce(
    (sum, name, index) => sum + (name.startsWith(':') ? 0 : wrongLetters(segments[index] as string, name)),
    0,
  );
}

const tidied = (path: string): string =>
  path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .replace(/^\/api(?=\/)/, '')
    .replace(/^\/v1(?=\/v1\/)/, '');

const OWN_REFUND =
  'A recorded transaction is never edited or deleted, and a refund is a transaction of its own with relatedTo.';

const HINTS: readonly { listener?: CountedListener; request: RegExp; detail: string }[] = [
  {
    request: /^\w+ [^?]*%3F/i,
    detail: 'The question mark before the parameters is encoded as %3F: send it as it is.',
  },
  {
    listener: 'public',
    request: /^POST \/v1\/(transactions\/)?search$/,
    detail: 'A search is a GET with parameters, for example /v1/search?text=order-1042.',
  },
  {
    listener: 'public',
    request: /^(PATCH|PUT|POST|DELETE) \/v1\/(transactions|payments?|charges?|refunds?)(\/|$)/,
    detail: `${OWN_REFUND} The platform records them, on the listener of the operator.`,
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?\/v1\/(accounts|batch)(\/|$)/,
    detail:
      'Paths that name an account, and paths that record, are on the listener of the operator. They need a key of the operator.',
  },
  {
    request: /^GET .*\/transactions\/[^/]+\/(history|events?|timeline|logs?|audit)$/i,
    detail: 'The changes of a transaction are at /v1/transactions/{reference}/changes.',
  },
  {
    request: /^GET .*\/transactions\/[^/]+\/(refunds?|children|reversals?)$/i,
    detail: 'Refunds and the like are at /v1/transactions/{reference}/related.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/(payments?|charges?|balance_transactions|events|refunds?)(\/|$)/i,
    detail: 'Transactions are at /v1/transactions, and their changes at /v1/changes.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/((exports?|downloads?|reports?)(\.\w+)?|(search|totals|changes)\.\w+)$/i,
    detail: 'A file of transactions is at /v1/transactions.csv or /v1/transactions.ndjson: GET it.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/(balances?|sums?|stats|statistics|summary)(\/|$)/i,
    detail: 'Counts and sums are at /v1/totals.',
  },
  {
    listener: 'public',
    request: /^\w+ (\/api)?(\/v\d)?\/customers?(\/|$)/i,
    detail: "A customer's payments are found by /v1/search?text= with a part of the name.",
  },
  {
    listener: 'public',
    request: /^GET (\/api)?(\/v\d)?\/(me|whoami|accounts?|profile)$/i,
    detail: 'GET /v1/key has the account of the key, and what the key can do.',
  },
  {
    listener: 'public',
    request: /^\w+ \/v1\/(keys?|api_?keys)(\/|$)/i,
    detail: 'GET /v1/key describes the key that is sent. The operator makes, rolls and revokes keys.',
  },
  {
    request: /^\w+ (\/api)?(\/v\d)?\/(o?auth\d?|login|signin|tokens?|oauth\/.*)(\/|$)/i,
    detail: 'There is no login: send the API key with each request, in the header Authorization: Bearer.',
  },
  {
    listener: 'public',
    request:
      /^\w+ (\/api)?(\/v\d)?\/(webhook|hooks?|(webhook_?)?endpoints?|subscriptions?|notifications?)(\/|$)/i,
    detail: 'Webhooks are at /v1/webhooks.',
  },
  {
    request: /^\w+ \/v1\/webhooks\/[^/]+\/(rotate|roll|secret)$/i,
    detail: 'A new secret is made by POST /v1/webhooks/{id}/rotate-secret.',
  },
  {
    request: /^\w+ \/v1\/webhooks\/[^/]+\/(deliver(y|ies)|logs?|attempts|errors|events)$/i,
    detail: 'What could not be delivered is at GET /v1/webhooks/{id}/failures.',
  },
  {
    request: /^\w+ \/v1\/webhooks\/[^/]+\/(ping|trigger)$/i,
    detail: 'A test is sent by POST /v1/webhooks/{id}/test.',
  },
  {
    request: /^\w+ (\/v\d)?\/(swagger|api-?docs|openapi|redoc|graphql)(\.\w+|\/|$)/i,
    detail: 'The interface is described at /openapi.json, and for people at /docs.',
  },
  {
    listener: 'operator',
    request: /^PATCH .*\/transactions\//,
    detail: `PUT the whole transaction with its new status, if it is pending. ${OWN_REFUND}`,
  },
  {
    listener: 'operator',
    request: /^DELETE .*\/transactions\/[^/]+$/,
    detail: `${OWN_REFUND} DELETE its /details to remove what names a person.`,
  },
  {
    listener: 'operator',
    request: /^POST .*\/transactions\/[^/]+\/(refunds?|capture|cancel)$/,
    detail: OWN_REFUND,
  },
  {
    listener: 'operator',
    request: /^POST .*\/transactions\/[^/]+\/(completed?|pay|paid|confirm|settle|fail|status)$/,
    detail:
      'If the transaction is pending, PUT the whole transaction with its new status and paidAt. Leave this ending of the path out.',
  },
  {
    listener: 'operator',
    request: /^PUT .*\/transactions\/[^/]+\/./,
    detail: 'A reference has no slash: write another character in its place, such as "-" or ".".',
  },
  {
    listener: 'operator',
    request: /^DELETE \/v1\/accounts\/[^/]+$/,
    detail: 'The command transactions erase --account deletes an account and everything in it.',
  },
  {
    listener: 'operator',
    request: /^\w+ \/v1\/key$/,
    detail:
      'The keys of an account are at /v1/accounts/{account}/keys. GET /v1/key, for the key that is sent, is on the listener of accounts.',
  },
  {
    listener: 'operator',
    request: /^POST .*\/(batch|bulk|import)$/,
    detail: 'Many transactions are recorded by POST /v1/batch, each with its account.',
  },
  {
    listener: 'operator',
    request: /^\w+ \/v1\/accounts(\/[^/]+)?$/,
    detail: 'An account exists as soon as something is recorded for it: PUT its first transaction.',
  },
  {
    listener: 'operator',
    request: /^\w+ .*\/keys\/[^/]+\/rotate$/,
    detail: 'A key is replaced by POST /v1/accounts/{account}/keys/{id}/roll.',
  },
  {
    listener: 'operator',
    request: /\/webhooks(\/|$)/,
    detail:
      'Webhooks are made on the listener of accounts, with a key of the account and the scope webhooks.',
  },
  {
    listener: 'operator',
    request: /^\w+ (\/api)?\/v1\/(transactions|search|totals|changes|keys|sessions|exports)(\/|$)/,
    detail: 'The operator names the account in the path: /v1/accounts/{account}/transactions.',
  },
];

const hintForPath = (sentTo: CountedListener, method: string, path: string): string | undefined =>
  HINTS.find(({ listener = sentTo, request }) => listener === sentTo && request.test(`${method} ${path}`))
    ?.detail;
