import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';

const DAY_MS = 24 * 3600 * 1000;
const JUMPS_MS = [DAY_MS, 3650 * DAY_MS].flatMap((by) => [by, -by]);
const START_MS = Date.UTC(2026, 5, 15, 12);
const LIST = '/v1/transactions';

for (const byMs of JUMPS_MS) {
  const name = `${byMs < 0 ? 'back' : 'forward'} by ${Math.abs(byMs) / DAY_MS} days`;

  test(`a clock that is set ${name}: a revoked key stays revoked, and the rate limit is unaffected`, async () => {
    const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 1, burst: 2 } } });
    const revoked = await app.makeKey('store-1');
    const [stored] = await app.store.listApiKeys('store-1', null, 100);
    assert.ok(stored);
    const key = await app.makeKey('store-1');
    await app.keyCache.refresh();
    assert.equal((await app.send(LIST, { key: revoked })).status, 200);
    await app.store.revokeApiKey(stored.id, app.clock.now(), someEntry());
    for (const expected of [200, 200, 429]) assert.equal((await app.send(LIST, { key })).status, expected);

    app.clock.set(START_MS + byMs);
    const limited = await app.send(LIST, { key });
    assert.equal(limited.status, 429);
    assert.equal(limited.headers['retry-after'], '1');
    app.clock.advance(1000);
    assert.equal((await app.send(LIST, { key })).status, 200);
    assert.equal((await app.send(LIST, { key: revoked })).status, 401);
  });
}
