import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

for (const listener of ['public', 'operator'] as const)
  test(`503 unavailable: more requests wait at the ${listener} listener than one iteration of the event loop answers`, async (t) => {
    // Each reading of the clock takes 2 ms, so that 100 requests exceed the limit of an iteration.
    let nowMs = 0;
    const clock = { ...testClock(), monotonicMs: () => (nowMs += 2) };
    const publicApp = await buildTestApp({ clock });
    const operatorApp = await buildTestOperatorApp(publicApp.store, clock);
    const { server } = listener === 'public' ? publicApp : operatorApp;
    const key = listener === 'public' ? await publicApp.makeKey('store-1') : operatorApp.key;
    const path = listener === 'public' ? '/v1/transactions' : '/v1/accounts/store-1/transactions';
    const { open } = await listen(t, server);
    const sockets = Array.from({ length: 100 }, open);
    const request = (path: string) =>
      Promise.all(
        sockets.map(async (socket) => {
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
          return String(await once(socket, 'data')).slice(9, 12);
        }),
      );
    await request('/livez');
    const responses = await request(path);
    const good = responses.filter((status) => status === '200').length;
    assert.equal(responses.filter((status) => status === '503').length, 100 - good);
    assert.ok(good >= 64 && good < 100, `${good} of 100 were answered`);
  });
