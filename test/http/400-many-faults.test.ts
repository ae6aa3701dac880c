import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LISTED_FAULTS } from '../../values/fault-list.ts';
import { PENDING, sendBatch } from '../rig/http/request-bodies.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const names = Array.from({ length: 1000 }, (_, index) => `x${index}`);
const FIELDS = Object.fromEntries(names.map((name) => [name, 1]));
const MAX_RESPONSE_BYTES = 6000;

test('400 and 422: for 700 unknown parameters or 1,000 unknown fields, the error lists 20 faults and counts the others', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const key = await app.makeKey('store-1');
  const account = '/v1/accounts/store-1';
  const sent = { body: FIELDS, headers: { 'idempotency-key': 'a' } };
  for (const response of [
    await app.send(`/v1/transactions?${names.slice(0, 700).join('&')}`, { key }),
    await app.send(`/v1/transactions/store-1.a?${names.slice(0, 700).join('&')}`, { key }),
    await operator.send(`${account}/transactions/store-1.a`, { method: 'PUT', ...sent }),
    await operator.send(`${account}/transactions`, { method: 'POST', ...sent }),
    await operator.send(`${account}/keys`, { method: 'POST', ...sent }),
  ]) {
    const { body, text } = response;
    assert.equal(body.errors.length, MAX_LISTED_FAULTS);
    const [, all = '', more = ''] =
      / has ([\d,]+) faults: 20 in errors, and (\d+) more\.$/.exec(body.detail) ?? [];
    assert.equal(Number(all.replace(',', '')) - Number(more), MAX_LISTED_FAULTS, body.detail);
    assert.ok(text.length < MAX_RESPONSE_BYTES, `${text.length} bytes`);
  }
  const line = { account: 'store-1', reference: 'store-1.a', ...PENDING };
  const [faulty, good] = await sendBatch(operator, [{ ...line, ...FIELDS }, line]);
  assert.deepEqual(
    [faulty.outcome, faulty.errors.length, good.outcome],
    ['invalid', MAX_LISTED_FAULTS + 1, 'recorded'],
  );
  assert.deepEqual(faulty.errors.at(-1), { pointer: '', code: 'unlisted_faults', detail: 'and 980 more' });
});

test('400: a parameter beyond the number that is read is an error, and is never ignored', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  for (const [query, status] of [
    [`${'status=pending&'.repeat(200)}cursor=x`, 400],
    [`status=pending&${'&'.repeat(2000)}&nonsense=1`, 400],
    [`${'a=1&'.repeat(300)}from=2026-01-01&to=2026-12-31`, 400],
    [`${'&'.repeat(2000)}status=pending${'&'.repeat(1000)}`, 200],
  ] as const)
    assert.equal((await app.send(`/v1/transactions?${query}`, { key })).status, status, query.slice(0, 40));
});
