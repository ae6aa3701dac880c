import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildInfo } from '../../src/service/build-info.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { impatientConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { appOnFaultyStore, hang, rejectWith } from '../rig/store/faulty-store.ts';

const config = impatientConfig;
const CALLS = ['ping', 'listTransactions', 'findApiKey', 'listKeyEnds', 'touchApiKeys'] as const;

for (const [what, fault] of [
  ['fails', rejectWith(() => new StoreUnavailable('database_error', 'gone'))],
  ['never answers', hang],
] as const)
  test(`while the database ${what}, /livez and /healthz return 200 and /readyz returns 503, on both listeners, with any key`, async () => {
    const { app, faults } = await appOnFaultyStore(CALLS, fault, { config });
    const operator = await buildTestOperatorApp(app.store, app.clock, config);
    const answers = async () => {
      const paths = ['/livez', '/healthz', '/readyz'];
      const own = paths.map((path) => app.send(path));
      const withKey = paths.map((path) => app.send(path, { key: 'tk_live_wrong' }));
      const others = paths.map((url) => operator.send(url, { method: 'GET', key: null }));
      return Promise.all([...own, ...withKey, ...others]);
    };
    const statuses = async () => (await answers()).map(({ status }) => status);
    const [live, , ready] = await answers();
    assert.deepEqual([live?.body, ready?.body], [{ status: 'ok' }, { status: 'ok', ...buildInfo() }]);
    faults.failing = true;
    assert.deepEqual(await statuses(), Array(3).fill([200, 200, 503]).flat());
    const { headers, body } = await app.send('/readyz');
    assert.deepEqual([body.code, headers['retry-after']], ['unavailable', '1']);
    faults.failing = false;
    assert.deepEqual(await statuses(), Array(9).fill(200));
    for (const { announceStop } of [app, operator]) announceStop();
    assert.deepEqual(await statuses(), Array(3).fill([200, 200, 503]).flat());
    assert.match((await app.send('/readyz')).body.detail, /stopping/);
    assert.equal((await app.send('/v1/transactions', { key: await app.makeKey('store-1') })).status, 200);
  });
