import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { openapiText } from '../../src/http/openapi.ts';
import { buildTestApp } from '../rig/app.ts';

const { server, store } = await buildTestApp();
after(async () => {
  await server.close();
  await store.close();
});

test('openapi.json is the document that the routes make', () => {
  const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  assert.ok(openapiText(server) === committed, 'openapi.json is not fresh: run npm run openapi');
});
