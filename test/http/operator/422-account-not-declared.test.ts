import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { PENDING } from '../../rig/http/request-bodies.ts';
import { buildTestApp, type TestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const CREATED = { ...PENDING, createdAt: '2026-06-01T12:00:00.000Z' };

describe('with ACCOUNTS=declared', () => {
  let app: TestApp;
  let operator: TestOperatorApp;
  beforeEach(async () => {
    app = await buildTestApp();
    operator = await buildTestOperatorApp(app.store, app.clock, { ...testConfig, accounts: 'declared' });
  });

  const put = (account: string) =>
    operator.send(`/v1/accounts/${account}/transactions/a`, { method: 'PUT', body: CREATED });
  const post = (account: string) =>
    operator.send(`/v1/accounts/${account}/transactions`, {
      method: 'POST',
      body: CREATED,
      headers: { 'idempotency-key': account },
    });
  const session = (account: string) =>
    operator.send(`/v1/accounts/${account}/sessions`, { method: 'POST', body: { person: 'ada' } });
  const batch = async (...accounts: string[]) => {
    const { text } = await operator.send('/v1/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      text: accounts.map((account) => JSON.stringify({ account, reference: 'b', ...CREATED })).join('\n'),
    });
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return results.map(({ outcome, errors }) => [outcome, errors?.[0].pointer, errors?.[0].code]);
  };
  const declare = (account: string) =>
    operator.send(`/v1/accounts/${account}/keys`, { method: 'POST', body: {} });

  test('422: PUT, POST, batch and sessions refuse an account without key and transactions, and it does not exist afterwards', async () => {
    await declare('store-77');
    for (const refused of [
      await put('stroe-7'),
      await post('stroe-7'),
      await session('stroe-7'),
      await put('store-7'),
    ]) {
      assert.equal(refused.status, 422);
      assert.equal(refused.body.code, 'invalid_fields');
      const [{ pointer, code }] = refused.body.errors;
      assert.deepEqual([pointer, code], ['/account', 'account_not_declared']);
      assert.match(refused.body.detail, /"st(roe|ore)-7" is not declared/);
    }
    assert.deepEqual(await batch('store-77', 'stroe-7', 'store-77'), [
      ['recorded', undefined, undefined],
      ['invalid', '/account', 'account_not_declared'],
      ['unchanged', undefined, undefined],
    ]);
    const accounts = await app.store.listAccounts({ after: null, prefix: 'st' }, 10);
    assert.ok(!accounts.some(({ account }) => account === 'stroe-7' || account === 'store-7'));
  });

  test('201: a key declares an account at once, and so do transactions of before', async () => {
    assert.equal((await put('new')).status, 422);
    assert.equal((await declare('new')).status, 201);
    assert.equal((await put('new')).status, 201);
    assert.equal((await post('new')).status, 201);
    assert.equal((await session('new')).status, 201);
    const anyAccount = await buildTestOperatorApp(app.store, app.clock);
    const path = '/v1/accounts/without-key/transactions/a';
    assert.equal((await anyAccount.send(path, { method: 'PUT', body: CREATED })).status, 201);
    assert.equal((await put('without-key')).status, 200);
  });
});
