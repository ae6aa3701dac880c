import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { startListener } from '../../src/cli/listener.ts';
import { buildTestApp } from '../rig/app.ts';

const ADDRESS = { host: '127.0.0.1', port: 0, settings: ['HOST', 'PORT'] } as const;

test('a query for revocations without a result blocks neither the start nor the next query', async () => {
  const app = await buildTestApp();
  const logged: string[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line).msg) });
  const refreshedAgain = Promise.withResolvers<void>();
  let refreshes = 0;
  app.keyCache.refresh = async () => {
    if (++refreshes === 1) await new Promise(() => {});
    refreshedAgain.resolve();
  };
  const listener = await startListener(app, ADDRESS, app.store, logger);
  await refreshedAgain.promise;
  await listener.stop();
  assert.deepEqual(logged, ['could not read which keys were revoked']);
});
