import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, type TestRequest } from '../rig/service/app.ts';

/*
 * Requests of callers who know another interface, or this one from memory. Each is refused, and its detail says what to send instead, so
 * that the next request succeeds.
 */

let app: TestApp;
let key: string;

before(async () => {
  app = await buildTestApp();
  await record(app.store, [transaction('store-1', 'a', { merchantReference: 'order-1042' })]);
  key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
});

const LIST: readonly (readonly [query: string, detail: RegExp])[] = [
  ...['nextCursor', 'next_cursor', 'page_token', 'pageToken', 'continuation_token'].map(
    (name) => [`${name}=x`, /send nextCursor as cursor\.$/] as const,
  ),
  ...['limit', 'page_size', 'per_page'].map(
    (name) => [`${name}=5`, /fixed at 10: omit .* follow nextCursor/] as const,
  ),
  ...['page', 'offset', 'starting_after'].map(
    (name) => [`${name}=2`, /send nextCursor as cursor\.$/] as const,
  ),
  ...['currencyCode', 'currency_code', 'ccy'].map(
    (name) => [`${name}=EUR`, /send currency, for example currency=EUR/] as const,
  ),
  ...[
    'since',
    'until',
    'date',
    'day',
    'start_date',
    'endDate',
    'date_from',
    'fromDate',
    'createdAt',
    'created_after',
  ].map((name) => [`${name}=2026-03-01`, /send for example from=2026-03-01&to=2026-03-31\.$/] as const),
  ...['created[gte]', 'created[lt]', 'createdAt[lte]'].map(
    (name) => [`${name}=2026-03-01`, /as from and to/] as const,
  ),
  ...[
    'amount',
    'amount_gte',
    'min_amount',
    'paidFrom',
    'paid_at',
    'q',
    'search',
    'customer',
    'email',
    'last4',
  ].map((name) => [`${name}=1.00`, /the search \(\/v1\/search\) finds by amount/] as const),
  ...['reference', 'id', 'transaction_id'].map(
    (name) => [`${name}=a`, /^One transaction is at \/v1\/transactions\/\{reference\}: omit /] as const,
  ),
  ...['orderId', 'order_number', 'invoice_id'].map(
    (name) => [`${name}=1042`, /send merchantReference\.$/] as const,
  ),
  ...['sort', 'sort_by', 'orderBy', 'direction'].map(
    (name) => [`${name}=asc`, /fixed, newest first: omit/] as const,
  ),
  ['order=1042', /newest first: omit order\. The number of an order is sent as merchantReference\.$/],
  ...['status[]', 'statuses', 'status[0]'].map(
    (name) => [`${name}=pending`, /send status in a request for each/] as const,
  ),
  ['currencies=EUR', /send currency in a request for each/],
  ['status=completed,pending', /several statuses: send status in a request for each, or omit it for all\.$/],
  ['currency=EUR,USD', /several currencies: send currency in a request for each/],
  ['currency=eur', /did you mean EUR\?/],
  ['status=COMPLETED', /did you mean completed\?/],
  ['timezone=UTC', /did you mean timeZone\?/],
  ['account=store-1', /account follows from the API key, or from the path: omit account\.$/],
  ['fields=amount', /has all its fields: omit fields\.$/],
  ['format=csv', /GET \/v1\/transactions\.csv/],
  ...['api_key', 'access_token', 'key'].map(
    (name) => [`${name}=x`, /roll it\. Send the key in the header Authorization: Bearer/] as const,
  ),
  ['from=2026-03-01T00:00:00Z', /a day is sent alone, such as 2026-03-01\./],
  ['from=2026-3-1', /did you mean 2026-03-01\?/],
  ['from=20260301', /did you mean 2026-03-01\?/],
  ['from=2026/03/01', /did you mean 2026-03-01\?/],
  ['from=1.3.2026', /did you mean 2026-03-01\?/],
  ['from=1772323200', /did you mean 2026-03-01\?/],
  ['from=1772323200000', /did you mean 2026-03-01\?/],
  ['from=2026-13-01', /does not exist in the calendar/],
  ['from=today', /Write a date as YYYY-MM-DD/],
  ['from=2026-01-01&to=2026-12-31', /to can be at most 2026-04-01\.$/],
];

test('a parameter of another interface is refused with what to send instead', async () => {
  for (const [query, detail] of LIST) {
    const { status, body } = await app.send(`/v1/transactions?${query}`, { key });
    assert.equal(status, 400, query);
    assert.match(body.detail, detail, query);
  }
});

test('a hint is given where it is right: the search has its own parameters, and totals and changes have none of a page', async () => {
  const others: [path: string, detail: RegExp][] = [
    ['/v1/search?q=order', /send a part of .* as text\.$/],
    ['/v1/search?currencyCode=EUR&text=order', /send currency/],
    ['/v1/totals?since=2026-03-01', /from=2026-03-01&to=2026-03-31/],
    ['/v1/totals?sort=asc', /^"sort" is not a parameter/],
    ['/v1/totals?nextCursor=x', /^"nextCursor" is not a parameter/],
    ['/v1/changes?since=5', /send lastSequence as after\.$/],
    ['/v1/webhooks?currencyCode=EUR', /^"currencyCode" is not a parameter/],
  ];
  for (const [path, detail] of others)
    assert.match((await app.send(path, { key })).body.detail, detail, path);
});

test('a header that is no key says which slip it is, and never what it contains', async () => {
  const slips: [authorization: (key: string) => string, detail: RegExp][] = [
    [(sent) => `Bearer "${sent}"`, /in quotation marks/],
    [() => 'Bearer $KEY', /was not replaced by its value/],
    [() => 'Bearer {{key}}', /was not replaced by its value/],
    [() => 'Bearer undefined', /without a value/],
    [() => 'Bearer <API key>', /placeholder of an example/],
    [(sent) => `Bearer: ${sent}`, /has a colon after Bearer/],
    [(sent) => sent, /without the scheme Bearer before it/],
    [(sent) => `Token ${sent}`, /another scheme than Bearer/],
  ];
  for (const [authorization, detail] of slips) {
    const { status, body, text } = await app.send('/v1/transactions', {
      headers: { authorization: authorization(key) },
    });
    assert.equal(status, 401);
    assert.match(body.detail, detail);
    assert.ok(!text.includes(key.slice(0, 20)), body.detail);
  }
  const { body, text } = await app.send(`/v1/transactions?api_key=${key}`);
  assert.match(body.detail, /^A key in the address \(api_key\) .*roll it\. Send the header Authorization/);
  assert.ok(!text.includes(key));
});

test('a path that nearly exists is answered with the one that does', async () => {
  const paths: [request: string, detail: RegExp][] = [
    ...[
      '/transactions',
      '/api/v1/transactions',
      '/v1/v1/transactions',
      '/v1//transactions',
      '/v2/transactions',
      '/v1/transaction',
    ].map((path): [string, RegExp] => [`GET ${path}`, /did you mean \/v1\/transactions\?/]),
    ['GET /v1/transactions/', /ends in a slash/],
    ['GET /v1/search/', /did you mean \/v1\/search\?/],
    ['GET /v1/transactions/order-1042', /request \/v1\/transactions\?merchantReference= with it\.$/],
    ['GET /v1/payments', /Transactions are at \/v1\/transactions/],
    ['GET /v1/balance', /sums are at \/v1\/totals\.$/],
    [
      'PATCH /v1/transactions/store-1.a',
      /takes GET, HEAD, not PATCH\. A recorded transaction is never edited/,
    ],
    ['POST /v1/transactions', /on the listener of the operator\.$/],
    ['PUT /v1/accounts/store-1/transactions/a', /listener of the operator, for keys of the operator\.$/],
  ];
  for (const [request, detail] of paths) {
    const [method, path = ''] = request.split(' ');
    const { status, body } = await app.send(path, { method: method as TestRequest['method'] & string, key });
    assert.ok(status === 404 || status === 405, request);
    assert.match(body.detail, detail, request);
  }
});

test('a webhook of another interface is refused with what to send instead', async () => {
  const url = 'https://shop.example/webhooks';
  const bodies: [body: object, detail: RegExp][] = [
    [{ url, events: ['transaction.completed'] }, /did you mean types\?/],
    [{ callback_url: url }, /did you mean url\?/],
    [{ url: 'http://localhost:8080/' }, /run transactions webhooks listen/],
    [{ url: 'http://shop.example/' }, /must begin with https:\/\/$/],
  ];
  for (const [body, detail] of bodies) {
    const answer = await app.send('/v1/webhooks', { method: 'POST', key, body });
    assert.equal(answer.status, 422);
    const details = [answer.body, ...answer.body.errors].map((each) => each.detail);
    assert.ok(
      details.some((each) => detail.test(each)),
      details.join('\n'),
    );
  }
});
