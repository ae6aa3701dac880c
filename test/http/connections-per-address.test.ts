import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { listen, readUntil } from '../rig/http/connection.ts';
import { buildTestApp, metric, testClock, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const LIMIT = 3;
const EXCESS = 5;
const config = { ...testConfig, connectionsPerAddress: LIMIT };
const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

const isAnswered = async (caller: Socket) => {
  const response = readUntil(caller, /\r\n\r\n\{.*\}$/).then(
    () => true,
    () => false,
  );
  caller.write(LIVEZ);
  return response;
};

for (const listener of ['public', 'operator'] as const) {
  test(`an address can have ${LIMIT} connections to the ${listener} listener, which are all answered, and no more`, async (t) => {
    const { store } = await openStore(IN_MEMORY_URL, Date.now);
    const { server, logged }: { server: FastifyInstance; logged: string[] } =
      listener === 'public'
        ? await buildTestApp({ store, config })
        : await buildTestOperatorApp(store, testClock(), config);
    const { open } = await listen(t, server);

    const first = open();
    for (let count = 1; count < LIMIT; count++) assert.ok(await isAnswered(open()));
    assert.ok(await isAnswered(first));
    for (let count = 0; count < EXCESS; count++) assert.ok(!(await isAnswered(open())));
    assert.ok(await isAnswered(first));

    const closed = `transactions_http_connections_closed_total{listener="${listener}",reason="address"}`;
    assert.equal(await metric(closed), EXCESS);
    const warned = logged.filter((line) => line.includes('"closed":'));
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? '', /"address":"127\.0\.0\.1"/);

    const released = new Promise((resolve) => {
      server.server.getConnections(() => {});
      first.once('close', resolve);
    });
    first.destroy();
    await released;
    let again = await isAnswered(open());
    while (!again) again = await isAnswered(open());
  });
}

test('a trusted proxy has no limit of connections', async (t) => {
  for (const trusted of ['127.0.0.1', '127.0.0.0/8']) {
    const { server } = await buildTestApp({ config: { ...config, trustedProxies: ['::1', trusted] } });
    const { open } = await listen(t, server);
    const callers = Array.from({ length: LIMIT + EXCESS }, () => open());
    for (const caller of callers) assert.ok(await isAnswered(caller));
  }
});
