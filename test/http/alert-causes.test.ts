import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { PAID, recordingInto } from '../rig/http/request-bodies.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { appOnFaultyStore, rejectWith } from '../rig/store/faulty-store.ts';

const guide = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');
const [section = ''] = guide.split('## From an alert to its cause\n').slice(1);
const [ERRORS, OVERLOADED, , , CONFLICTS, GUESSING] = [...section.matchAll(/^grep .*$/gm)].map(
  ([command]) => command,
);

function found(command: string | undefined, logged: readonly string[]): string[] {
  assert.ok(command !== undefined);
  const folder = temporaryFolder();
  try {
    writeFileSync(`${folder.path}/transactions.log`, logged.join(''));
    const text = execFileSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8' });
    return text.split('\n').filter((line) => line !== '');
  } finally {
    folder.remove();
  }
}

test('TransactionsUnavailable: the last error in the log has the cause; overload has its own line', async () => {
  const { app, faults } = await appOnFaultyStore(
    ['listTransactions'],
    rejectWith(() => new StoreUnavailable('database_error', 'connect ECONNREFUSED 192.0.2.1:5432')),
  );
  const key = await app.makeKey('store-1');
  faults.failing = true;
  assert.equal((await app.send('/v1/transactions', { key })).status, 503);
  const [line = ''] = found(ERRORS, app.logged);
  assert.match(JSON.parse(line).err.message, /connect ECONNREFUSED/);
  const overloaded = '{"level":40,"msg":"overloaded: requests are refused"}';
  assert.deepEqual(found(OVERLOADED, [...app.logged, `${overloaded}\n`]), [overloaded]);
});

test('TransactionsConflicts: the log leads to the accounts, references and fields, and to the key that sent them', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const [{ id: keyId } = { id: '' }] = await app.store.listApiKeys('*', null, 100);
  const { put, batch } = recordingInto(operator);
  await put('store-1.a', PAID);
  await recordingInto(operator, 'store-2').put('store-2.b', PAID);
  assert.equal((await put('store-1.a', { ...PAID, amount: '13.00' })).status, 409);
  const other = { account: 'store-2', reference: 'store-2.b', ...PAID, currencyCode: 'CHF' };
  await batch({ reference: 'store-1.d', ...PAID }, other);
  await batch({ reference: 'store-1.e', ...PAID });

  const lines = found(CONFLICTS, operator.logged).map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  const [single, many] = lines;
  assert.deepEqual([single.account, single.reference, single.differs], ['store-1', 'store-1.a', ['amount']]);
  assert.deepEqual(many.conflicts, [
    { line: 2, account: 'store-2', reference: 'store-2.b', differs: ['currencyCode'] },
  ]);
  for (const line of lines) assert.equal(line.keyId, keyId);
});

test('TransactionsGuessing: the log leads to the addresses, with the number of requests of each', async () => {
  const config = {
    ...testConfig,
    failedAuthenticationRateLimit: { perSecond: 1, burst: 5 },
    trustedProxies: ['127.0.0.1'],
  };
  const app = await buildTestApp({ config });
  const from = (address: string, key?: string) =>
    app.send('/v1/transactions', {
      headers: { 'x-forwarded-for': address },
      ...(key !== undefined && { key }),
    });
  for (let count = 0; count < 9; count++) await from('2001:db8::7', 'tk_live_guess');
  for (let count = 0; count < 2; count++) await from('::ffff:192.0.2.10', 'tk_live_guess');
  assert.equal((await from('192.0.2.11', await app.makeKey('store-1'))).status, 200);
  await from('192.0.2.12');

  assert.deepEqual(
    found(GUESSING, app.logged).map((line) => line.trim()),
    ['9 "address":"2001:db8::7"', '2 "address":"192.0.2.10"'],
  );
});
