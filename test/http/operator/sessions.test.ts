import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { generateSecret } from '../../../src/keys/api-key.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const SESSIONS = '/v1/accounts/store-1/sessions';
const START = '2026-06-15T12:00:00.000Z';

describe('sessions', () => {
  let app: TestApp;
  let operator: TestOperatorApp;

  beforeEach(async () => {
    app = await buildTestApp({ clock: testClock(Date.parse(START)) });
    operator = await buildTestOperatorApp(app.store, app.clock);
  });

  const create = async (person = 'ada@shop.example') => {
    const { status, body } = await operator.send(SESSIONS, { method: 'POST', body: { person } });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const open = async (person?: string) => {
    const { id, code } = await create(person);
    const { status, body } = await app.send('/v1/session', { method: 'POST', body: { code } });
    assert.equal(status, 201);
    return { id, key: body.key as string };
  };
  const statusOf = async (key: string) => (await app.send('/v1/transactions', { key })).status;
  const states = async () =>
    (await operator.send(SESSIONS, { method: 'GET' })).body.data.map(({ state }: { state: string }) => state);

  test('429: refused codes count as failed authentications of their address, and accepted codes do not', async () => {
    const limited = await buildTestApp({
      store: app.store,
      clock: app.clock,
      config: { ...testConfig, failedAuthenticationRateLimit: { perSecond: 1, burst: 2 } },
    });
    const send = (code: string) => limited.send('/v1/session', { method: 'POST', body: { code } });
    for (let count = 0; count < 3; count++) assert.equal((await send((await create()).code)).status, 201);
    const forged = generateSecret(randomBytes, 'code').text;
    assert.deepEqual(
      [(await send(forged)).status, (await send('x')).status, (await send(forged)).status],
      [401, 401, 429],
    );
    assert.equal((await limited.send('/v1/key', { key: 'tk_live_none' })).status, 429);
    const { code } = await create();
    assert.equal((await send(code)).status, 429);
    limited.clock.advance(1000);
    assert.equal((await send(code)).status, 201);
  });

  test('204: an instance whose clock is ahead ends sessions on every instance, with their number in Sessions-Ended, and a key that is rolled without a grace', async () => {
    const ahead = await buildTestOperatorApp(app.store, testClock(Date.parse(START) + 86_400_000));
    const [one, two, three] = [await open(), await open('ada+till@shop.example'), await open()];
    const { id, key } = (await operator.send('/v1/accounts/store-1/keys', { method: 'POST', body: {} })).body;
    const endAll = async (person: string) => {
      const { status, headers } = await ahead.send(`${SESSIONS}?person=${person}`, { method: 'DELETE' });
      return [status, headers['sessions-ended']];
    };
    assert.equal((await ahead.send(`${SESSIONS}/${three.id}`, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await endAll('ada@shop.example'), [204, '1']);
    assert.deepEqual(await endAll('ada@shop.example'), [204, '0']);
    assert.deepEqual(await endAll('ada+till@shop.example'), [204, '0']);
    assert.deepEqual(await endAll('ada%2Btill@shop.example'), [204, '1']);
    const rolled = await ahead.send(`/v1/accounts/store-1/keys/${id}/roll`, {
      method: 'POST',
      body: { grace: '0' },
    });
    assert.equal(rolled.status, 201);
    await app.keyCache.refresh();
    for (const ended of [one.key, two.key, three.key, key]) assert.equal(await statusOf(ended), 401);
    assert.deepEqual(await states(), ['ended', 'ended', 'ended']);
  });
});
