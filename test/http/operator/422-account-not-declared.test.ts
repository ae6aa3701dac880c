import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PENDING, sendBatch } from '../../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

test('422: with ACCOUNTS=declared, PUT, POST, batch and sessions refuse an account without key and transactions', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock, { ...testConfig, accounts: 'declared' });
  const of = (account: string) => `/v1/accounts/${account}`;
  const put = (account: string, sender = operator) =>
    sender.send(`${of(account)}/transactions/a`, { method: 'PUT', body: PENDING });
  const sendAll = async (account: string) => [
    await put(account),
    await operator.send(`${of(account)}/transactions`, {
      method: 'POST',
      body: PENDING,
      headers: { 'idempotency-key': account },
    }),
    await operator.send(`${of(account)}/sessions`, { method: 'POST', body: { person: 'ada' } }),
  ];
  const declare = (account: string) => operator.send(`${of(account)}/keys`, { method: 'POST', body: {} });

  await declare('store-77');
  for (const { status, body } of [...(await sendAll('stroe-7')), await put('store-7')]) {
    assert.equal(status, 422);
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['/account', 'account_not_declared']);
    assert.match(body.detail, /"st(roe|ore)-7" is not declared/);
  }
  const lines = ['store-77', 'stroe-7', 'store-77'].map((account) => ({
    account,
    reference: 'b',
    ...PENDING,
  }));
  const results = await sendBatch(operator, lines);
  assert.deepEqual(
    results.map(({ outcome, errors }) => errors?.[0].code ?? outcome),
    ['recorded', 'account_not_declared', 'unchanged'],
  );
  const accounts = await app.store.listAccounts({ after: null, prefix: 'st' }, 10);
  assert.deepEqual(
    accounts.map(({ account }) => account),
    ['store-77'],
  );

  // A key declares an account at once, and so do earlier transactions.
  assert.equal((await declare('stroe-7')).status, 201);
  for (const { status } of await sendAll('stroe-7')) assert.equal(status, 201);
  assert.equal((await put('without-key', await buildTestOperatorApp(app.store, app.clock))).status, 201);
  assert.equal((await put('without-key')).status, 200);
});
