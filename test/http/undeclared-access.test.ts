import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Authenticate } from '../../src/http/access/authenticate.ts';
import { buildListener } from '../../src/service/app.ts';
import { openStore } from '../../src/store/open-store.ts';
import { testClock, testConfig, testMetrics } from '../rig/app.ts';

const API = { title: 'A test', description: '', keyDescription: '', tags: [] };

/** Builds the public listener with other routes, and closes it. */
async function start(
  addRoutes: (server: FastifyInstance, authenticate: Authenticate<'account'>) => void,
): Promise<void> {
  const clock = testClock();
  const { store } = await openStore('sqlite::memory:', clock.now);
  const logger = pino({ level: 'silent' });
  const dependencies = { config: testConfig, store, clock, randomBytes, logger, metrics: testMetrics };
  try {
    const { server } = await buildListener(
      dependencies,
      {
        listener: 'public',
        api: API,
        keyKind: 'account',
        rateLimit: null,
        takesStreams: false,
        shedsLoad: true,
      },
      (parts) => addRoutes(parts.server, parts.authenticate),
    );
    await server.close();
  } finally {
    await store.close();
  }
}

const handler = async () => ({});
const UNDECLARED = /^\/v1\/new names neither the scope that it requires nor that it requires no key$/;

describe('a route that does not say what it requires of a key stops the start', () => {
  for (const [name, addRoutes] of Object.entries<(server: FastifyInstance) => void>({
    'without a schema': (server) => server.get('/v1/new', handler),
    'with a schema': (server) => server.post('/v1/new', { schema: { operationId: 'new' }, handler }),
    'with another hook': (server) =>
      server.get('/v1/new', { onRequest: (_request, _reply, done) => done(), handler }),
    'that names a scope only in the document': (server) =>
      server.get('/v1/new', { schema: { security: [{ apiKey: ['read'] }] }, handler }),
    'of a plugin': (server) => server.register(async (scope) => scope.get('/v1/new', handler)),
  }))
    test(name, async () => {
      await assert.rejects(start(addRoutes), ({ message }: Error) => {
        assert.match(message, UNDECLARED);
        return true;
      });
    });
});

test('a route starts with the scope of its hook, or when it says that it requires no key', async () => {
  await start((server, authenticate) => {
    const schema = { response: {} };
    server.get('/v1/new', { onRequest: authenticate('read'), schema, handler });
    server.get('/v1/hooks', { onRequest: [authenticate('webhooks')], schema, handler });
    server.get('/v1/open', { schema: { ...schema, security: [] }, handler });
    server.get('/v1/hidden', { schema: { hide: true }, handler });
  });
});
