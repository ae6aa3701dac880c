import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PENDING, recordingInto } from '../../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

test('422: with ACCOUNTS=declared, PUT, POST, batch and sessions refuse an account that has neither a key nor transactions', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock, { ...testConfig, accounts: 'declared' });
  const into = (account: string) => recordingInto(operator, account);
  const sendAll = async (account: string) => [
    await into(account).put('a'),
    await into(account).post(),
    await operator.send(`/v1/accounts/${account}/sessions`, { method: 'POST', body: { person: 'ada' } }),
  ];
  const declare = (account: string) =>
    operator.send(`/v1/accounts/${account}/keys`, { method: 'POST', body: {} });

  await declare('store-77');
  for (const { status, body } of [...(await sendAll('stroe-7')), await into('store-7').put('a')]) {
    assert.equal(status, 422);
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['/account', 'account_not_declared']);
    assert.match(body.detail, /"st(roe|ore)-7" is not declared/);
  }
  const lines = ['store-77', 'stroe-7', 'store-77'].map((account) => ({
    account,
    reference: 'b',
    ...PENDING,
  }));
  assert.deepEqual(await into('').batch(...lines), ['recorded', 'account_not_declared', 'unchanged']);
  const accounts = await app.store.listAccounts({ after: null, prefix: 'st' }, 10);
  assert.deepEqual(
    accounts.map(({ account }) => account),
    ['store-77'],
  );

  assert.equal((await declare('stroe-7')).status, 201);
  for (const { status } of await sendAll('stroe-7')) assert.equal(status, 201);
  const other = await buildTestOperatorApp(app.store, app.clock);
  assert.equal((await recordingInto(other, 'without-key').put('a')).status, 201);
  assert.equal((await into('without-key').put('a')).status, 200);
});
