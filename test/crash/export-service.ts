import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { buildApp, SYSTEM_CLOCK } from '../../src/service/app.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { openStore } from '../../src/store/open-store.ts';
import { testConfig } from '../rig/service/test-config.ts';

/* A child process that serves a database, until it is killed. It sends its port to the parent. */
const { store } = await openStore(process.argv[2] as string, SYSTEM_CLOCK.now);
const app = await buildApp({
  config: testConfig,
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ level: 'silent' }),
  metrics: createMetrics(),
  cursorSecrets: ['a secret of the tests, long enough to be one'],
});
await app.server.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.server.address() as { port: number }).port);
