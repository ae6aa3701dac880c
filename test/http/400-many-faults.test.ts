import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LISTED_FAULTS } from '../../src/values/fault-list.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const TRANSACTION = {
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  createdAt: '2026-03-01T10:00:00.000Z',
};
const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
const fields = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
/** A page of the list has 2 KB. An error must not be much larger. */
const MAX_RESPONSE_BYTES = 6000;

for (const path of ['/v1/transactions', '/v1/transactions/store-1.a']) {
  test(`400 invalid_request: ${path} with 700 unknown parameters lists 20 faults and counts the others`, async () => {
    const app = await buildTestApp();
    const key = await app.makeKey('store-1');
    const { status, body, text } = await app.send(`${path}?${names(700).join('&')}`, { key });
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.equal(body.errors.length, MAX_LISTED_FAULTS);
    for (const { code } of body.errors) assert.equal(code, 'unknown_parameter');
    assert.equal(body.detail, 'The request has 700 faults: 20 in errors, and 680 more.');
    assert.ok(text.length < MAX_RESPONSE_BYTES, `${text.length} bytes`);
  });
}

test('400: a parameter after more parameters than are read is an error, and is never ignored', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  for (const query of [
    `${'status=pending&'.repeat(200)}cursor=x`,
    `status=pending&${'&'.repeat(2000)}&nonsense=1`,
    `${'a=1&'.repeat(300)}from=2026-01-01&to=2026-12-31`,
  ]) {
    const { status, body } = await app.send(`/v1/transactions?${query}`, { key });
    assert.equal(status, 400, query.slice(0, 40));
    assert.ok(body.errors.length >= 1);
  }
  const good = await app.send(`/v1/transactions?${'&'.repeat(2000)}status=pending${'&'.repeat(1000)}`, {
    key,
  });
  assert.equal(good.status, 200);
});

test('422 invalid_fields: a recording or a key with 1,000 unknown fields lists 20 faults and counts the others', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const [method, url] of [
    ['PUT', '/v1/accounts/store-1/transactions/store-1.a'],
    ['POST', '/v1/accounts/store-1/transactions'],
    ['POST', '/v1/accounts/store-1/keys'],
  ] as const) {
    const { status, body, text } = await operator.send(url, {
      method,
      body: { ...TRANSACTION, ...fields(1000) },
      headers: { 'idempotency-key': 'a' },
    });
    assert.deepEqual([status, body.code], [422, 'invalid_fields'], url);
    assert.equal(body.errors.length, MAX_LISTED_FAULTS, url);
    const [, all = '', more = ''] =
      /^The body has (1,0\d\d) faults: 20 in errors, and (9[89]\d) more\.$/.exec(body.detail) ?? [];
    assert.equal(Number(all.replace(',', '')) - Number(more), MAX_LISTED_FAULTS, body.detail);
    assert.ok(text.length < MAX_RESPONSE_BYTES, `${text.length} bytes`);
  }
});

test('200 invalid: a line of a batch with 1,000 unknown fields lists 20 faults and counts the others', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const line = { account: 'store-1', reference: 'store-1.a', ...TRANSACTION };
  const { text } = await operator.send('/v1/batch', {
    method: 'POST',
    text: [{ ...line, ...fields(1000) }, line].map((one) => JSON.stringify(one)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const [faulty, good] = text.split('\n').map((one) => one !== '' && JSON.parse(one));
  assert.equal(good.outcome, 'recorded');
  assert.equal(faulty.outcome, 'invalid');
  assert.equal(faulty.errors.length, MAX_LISTED_FAULTS + 1);
  assert.deepEqual(faulty.errors.at(-1), {
    pointer: '',
    code: 'unlisted_faults',
    detail: 'and 980 more',
  });
  assert.ok(text.length < MAX_RESPONSE_BYTES, `${text.length} bytes`);
});
