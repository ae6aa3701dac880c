import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { generateSecret } from '../../../src/keys/api-key.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const SESSIONS = '/v1/accounts/store-1/sessions';

async function serve() {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const create = async (person = 'ada@shop.example'): Promise<string> => {
    const { status, body } = await operator.send(SESSIONS, { method: 'POST', body: { person } });
    assert.equal(status, 201, JSON.stringify(body));
    return body.code;
  };
  return { app, operator, create };
}

test('429: refused codes count as failed authentications of their address, and accepted codes do not', async () => {
  const { app, create } = await serve();
  const limited = await buildTestApp({
    store: app.store,
    clock: app.clock,
    config: { ...testConfig, failedAuthenticationRateLimit: { perSecond: 1, burst: 2 } },
  });
  const send = (code: string) => limited.send('/v1/session', { method: 'POST', body: { code } });
  for (let count = 0; count < 3; count++) assert.equal((await send(await create())).status, 201);
  const forged = generateSecret(randomBytes, 'code').text;
  assert.deepEqual(
    [(await send(forged)).status, (await send('x')).status, (await send(forged)).status],
    [401, 401, 429],
  );
  assert.equal((await limited.send('/v1/key', { key: 'tk_live_none' })).status, 429);
  const code = await create();
  assert.equal((await send(code)).status, 429);
  limited.clock.advance(1000);
  assert.equal((await send(code)).status, 201);
});

test('204: Sessions-Ended has the number of sessions that ended; a plus sign of a person is written %2B', async () => {
  const { operator, create } = await serve();
  for (const person of ['ada', 'ada+till']) await create(person);
  for (const [person, ended] of [
    ['ada', '1'],
    ['ada', '0'],
    ['ada+till', '0'],
    ['ada%2Btill', '1'],
  ]) {
    const { status, headers } = await operator.send(`${SESSIONS}?person=${person}`, { method: 'DELETE' });
    assert.deepEqual([status, headers['sessions-ended']], [204, ended], person);
  }
});
