import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { PENDING } from '../rig/http/request-bodies.ts';
import { buildTestApp, type TestApp, type TestRequest } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

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
  ...['method', 'card', 'metadata[order]', 'details.method', 'max_amount', 'amount[gt]'].map(
    (name) => [`${name}=1.00`, /the search \(\/v1\/search\) finds by amount/] as const,
  ),
  ...['after', 'before', 'start'].map(
    (name) => [`${name}=2026-03-01`, /as cursor\. Days are sent as from and to\.$/] as const,
  ),
  ...['end', 'month', 'year'].map((name) => [`${name}=2026`, /as from and to/] as const),
  ...['tz', 'zone', 'utc_offset'].map(
    (name) => [`${name}=2`, /send a name such as timeZone=Europe\/Berlin\.$/] as const,
  ),
  ...['updated_since', 'modifiedAfter', 'changed_at'].map(
    (name) => [`${name}=2026-03-01`, /change feed \(\/v1\/changes\)/] as const,
  ),
  ...['total', 'with_total', 'include_count'].map(
    (name) => [`${name}=true`, /at \/v1\/totals: omit/] as const,
  ),
  ...['status=pending&status=completed', 'currency=EUR&currency=USD'].map(
    (query) => [query, /Send it once, and a request for each value\.$/] as const,
  ),
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
    ['/v1/search?limit=50&text=order', /send nextCursor as cursor for more\.$/],
    ...['customer', 'last4', 'metadata[order]'].map((name): [string, RegExp] => [
      `/v1/search?${name}=6757`,
      /send its value as text/,
    ]),
    ...['min_amount', 'amountMax', 'amount_gte'].map((name): [string, RegExp] => [
      `/v1/search?${name}=1.00`,
      /sent as amountFrom and amountTo/,
    ]),
    ...['%3E100', '10-20', '10..20'].map((range): [string, RegExp] => [
      `/v1/search?amount=${range}`,
      /send its ends as amountFrom and amountTo/,
    ]),
    ...['search', 'totals', 'transactions.csv'].map((of): [string, RegExp] => [
      `/v1/${of}?paid_at=2026-03-01`,
      /sent as paidFrom and paidTo/,
    ]),
    ...['group_by=currency', 'month=2026-03', 'period=2026-03'].map((query): [string, RegExp] => [
      `/v1/totals?${query}`,
      /of each currency and status\. by=day or by=month splits them, and from and to/,
    ]),
    ['/v1/totals?by=status', /always of each currency and status, without "status"\./],
    ['/v1/transactions.csv?month=3', /as from and to/],
    ['/v1/transactions.csv?columns=amount', /A file has all columns/],
    ['/v1/transactions.csv?delimiter=;', /CSV file has one form/],
    ['/v1/transactions.csv?format=xlsx', /spreadsheet=true/],
    ['/v1/transactions.csv?spreadsheet=1', /Send spreadsheet=true/],
    ['/v1/transactions.csv?details=true', /not a list of names of details/],
    ['/v1/transactions.csv?details=all', /not a list of names of details/],
    ['/v1/transactions.ndjson?fields=amount', /has all its fields/],
    ...['2026-03-01', 'latest'].map((after): [string, RegExp] => [
      `/v1/changes?after=${after}`,
      /positions, not times/,
    ]),
    ['/v1/changes?timeout=30', /send for example wait=30\.$/],
    ...['since_id', 'lastId', 'nextAfter'].map((name): [string, RegExp] => [
      `/v1/changes?${name}=5`,
      /send lastSequence as after\.$/,
    ]),
    ['/v1/transactions/search?q=order', /request \/v1\/search/],
    ['/v1/transactions/export', /\/v1\/transactions\.csv/],
    ['/v1/transactions/totals', /\/v1\/totals/],
    ['/v1/transactions/list', /The list is \/v1\/transactions/],
    ['/v1/transactions/a.json', /leave the ending "json" out/],
    ['/v1/transactions/a,b', /a request for each/],
    ['/v1/transactions/%20a', /leave the space out/],
    ...['undefined', ':reference', '%7Breference%7D', '[object%20Object]'].map((sent): [string, RegExp] => [
      `/v1/transactions/${sent}`,
      /the name of a variable/,
    ]),
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
    [(sent) => `Bearer Bearer ${sent}`, /has Bearer twice/],
    [() => 'Bearer YOUR_API_KEY', /placeholder of an example/],
    [(sent) => `Bearer ${sent.slice(0, -3)}`, /Check that it was sent whole/],
    [(sent) => `Bearer ${sent}\\n`, /Check that it was sent whole/],
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
    ['POST /v1/refunds', /a refund is a transaction of its own with relatedTo/],
    ['POST /v1/search', /^.* A search is a GET/],
    ['GET /v1/transactions/store-1.a/history', /\/v1\/transactions\/\{reference\}\/changes\.$/],
    ['GET /v1/transactions/store-1.a/refunds', /\{reference\}\/related\.$/],
    ...['GET /v1/exports', 'POST /v1/exports', 'GET /v1/export.csv', 'GET /v1/search.csv'].map(
      (path): [string, RegExp] => [path, /\/v1\/transactions\.csv or/],
    ),
    ...['GET /v1/me', 'POST /v1/keys', 'POST /v1/key/roll'].map((path): [string, RegExp] => [
      path,
      /GET \/v1\/key /,
    ]),
    ...['POST /v1/login', 'POST /oauth/token'].map((path): [string, RegExp] => [path, /There is no login/]),
    ...['GET /swagger.json', 'GET /api-docs', 'GET /openapi.yaml'].map((path): [string, RegExp] => [
      path,
      /described at \/openapi\.json/,
    ]),
    ...['POST /v1/webhook_endpoints', 'POST /v1/hooks', 'POST /v1/subscriptions'].map(
      (path): [string, RegExp] => [path, /Webhooks are at \/v1\/webhooks\.$/],
    ),
    ['POST /v1/webhooks/x/rotate', /\/rotate-secret\.$/],
    ['GET /v1/webhooks/x/deliveries', /\{id\}\/failures\.$/],
    ['POST /v1/webhooks/x/ping', /\{id\}\/test\.$/],
    ['GET /v1/customers', /\/v1\/search\?text=/],
    ['GET /v1/transactions%3Fstatus=pending', /encoded as %3F/],
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
    [{ url, event: 'transaction.completed' }, /did you mean types\?/],
    [{ url, types: ['*'] }, /write null as types for all/],
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

test('a request to the operator that is one of another interface is refused with what to send instead', async () => {
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const at = '/v1/accounts/store-1';
  const given = PENDING;
  const requests: [request: string, body: unknown, detail: RegExp][] = [
    [`PUT ${at}/transactions/c`, { ...given, amount: 1250 }, /two decimals, for example "12\.50"/],
    [`PUT ${at}/transactions/c`, { ...given, createdAt: 1772323200 }, /UTC with milliseconds, for example/],
    [`PUT ${at}/transactions/c`, { ...given, metadata: {} }, /did you mean details\?/],
    [`PUT ${at}/transactions/c`, { ...given, customer: 'Ada' }, /did you mean details\?/],
    [`PUT ${at}/transactions/c`, { ...given, parent: 'a' }, /did you mean relatedTo\?/],
    [`PUT ${at}/transactions/c`, [given], /Send each of its items as a request, .*\/v1\/batch/],
    [`PATCH ${at}/transactions/store-1.a`, {}, /PUT the whole transaction with its new status/],
    [`DELETE ${at}/transactions/store-1.a`, undefined, /never edited or deleted.*\/details/],
    [`POST ${at}/transactions/store-1.a/refund`, {}, /a transaction of its own with relatedTo/],
    [`POST ${at}/transactions/batch`, {}, /POST \/v1\/batch/],
    [`POST ${at}/batch`, {}, /POST \/v1\/batch/],
    ['POST /v1/batch', {}, /Each of its lines is one JSON object\.$/],
    ['POST /v1/accounts', {}, /exists as soon as something is recorded/],
    [`GET ${at}`, undefined, /exists as soon as something is recorded/],
    [`POST ${at}/keys`, { permissions: ['read'] }, /did you mean scopes\?/],
    [`POST ${at}/keys/x/rotate`, {}, /\/roll\.$/],
    [`POST ${at}/sessions`, { email: 'ada@shop.example' }, /did you mean person\?/],
    [`GET ${at}/webhooks`, undefined, /on the listener of accounts/],
    ['GET /v1/transactions', undefined, /\/v1\/accounts\/\{account\}\/transactions\.$/],
  ];
  for (const [request, body, detail] of requests) {
    const [method, path = ''] = request.split(' ');
    const answer = await operator.send(path, {
      method: method as Exclude<TestRequest['method'], 'OPTIONS' | undefined>,
      body,
    });
    assert.ok(answer.status >= 400, request);
    assert.match(
      [answer.body, ...(answer.body.errors ?? [])].map((each) => each.detail).join('\n'),
      detail,
      request,
    );
  }
});
