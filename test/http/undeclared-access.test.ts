import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { defineOperation, type Operation } from '../../src/http/operations/operation.ts';
import { buildListener } from '../../src/service/app.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { openStore } from '../../src/store/open-store.ts';
import { testClock, testConfig, testMetrics } from '../rig/service/app.ts';

const handler = async () => ({});

async function start(
  addOthers: (server: FastifyInstance) => void,
  operations: readonly Operation<ServiceContext>[] = [],
): Promise<void> {
  const clock = testClock();
  const { store } = await openStore('sqlite::memory:', clock.now);
  const logger = pino({ level: 'silent' });
  const cursorSecrets = ['a secret of the tests, long enough to be one'];
  try {
    const { server } = await buildListener(
      { config: testConfig, store, clock, randomBytes, logger, metrics: testMetrics, cursorSecrets },
      {
        listener: 'public',
        rateLimit: null,
        takesBodiesOfAnyLength: false,
        sheds: 'everything',
        addOthers: (server) => addOthers(server),
      },
      operations,
    );
    await server.close();
  } finally {
    await store.close();
  }
}

test('a route that no operation declares stops the start, unless it is hidden', async () => {
  await assert.rejects(
    start((server) => server.register(async (scope) => scope.get('/v1/new', handler))),
    /^Error: \/v1\/new is no operation, and is not hidden from the OpenAPI document$/,
  );
  await start((server) => server.get('/v1/hidden', { schema: { hide: true }, handler }));
});

const NEW = { id: 'new', access: 'read', tag: 'new', summary: '', description: '' } as const;
const operationAt = (path: string) =>
  defineOperation({ method: 'GET', public: { ...NEW, path }, responses: {}, handler: () => handler });

test('an operation whose path has a parameter without a rule stops the start', async () => {
  await start(() => {}, [operationAt('/v1/new')]);
  await assert.rejects(
    start(() => {}, [operationAt('/v1/new/:name')]),
    /^Error: \/v1\/new\/:name names name, which is not among its pathParameters$/,
  );
});
