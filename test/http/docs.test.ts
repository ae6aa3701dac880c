import assert from 'node:assert/strict';
import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { problemsOf } from '../../src/http/operations/operation-problems.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

test('/openapi.json is the committed document, in at most 100 kB', async () => {
  const { text, headers } = await (await buildTestApp()).send('/openapi.json');
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  assert.equal(text, JSON.stringify(JSON.parse(committed)));
  assert.ok(Buffer.byteLength(text) <= 100_000, `${Buffer.byteLength(text)} bytes`);
});

interface DescribedResponse {
  content?: Record<string, { example?: { hasMore?: boolean } }>;
}

test('each served document is of the service that serves it, and has an example of each response, whose first page is the last one', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const { server } of [app, operator]) {
    const document = (await server.inject('/openapi.json')).json();
    assert.deepEqual(
      document.servers.map(({ url }: { url: string }) => url),
      ['/'],
    );
    const operations = Object.values<Record<string, { responses: Record<string, DescribedResponse> }>>(
      document.paths,
    );
    const described = operations
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses));
    const errors = Object.values<DescribedResponse>(document.components.responses);
    assert.ok(errors.length > 5);
    for (const { content = {} } of [...described, ...errors])
      for (const { example } of Object.values(content))
        assert.ok(example !== undefined && example.hasMore !== true, JSON.stringify(example));
  }
});

test('the page shows an example of every error', async () => {
  const { body } = await (await buildTestApp()).send('/docs/json');
  const responses = Object.values<{ content: Record<string, { examples?: object }> }>(
    body.components.responses,
  );
  const shown = responses.flatMap(({ content }) =>
    Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
  );
  const declared = OPERATIONS.filter((operation) => operation.public !== undefined).flatMap((operation) =>
    problemsOf(operation, 'public').map(({ code }) => code),
  );
  assert.deepEqual(shown.toSorted(), [...new Set(declared)].toSorted());
});

for (const path of ['/docs', '/docs/']) {
  test(`200: the page at ${path} loads only files of the service, and all of them exist`, async () => {
    const app = await buildTestApp();
    const { status, text, headers } = await app.send(path);
    assert.equal(status, 200);
    assert.match(headers['content-type'] ?? '', /^text\/html/);
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    // A page served over plain HTTP must not load its files over HTTPS.
    assert.doesNotMatch(policy, /https:|http:|upgrade-insecure-requests|unsafe/);
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
    assert.ok(named.length >= 4);
    for (const address of named) {
      const { origin, pathname } = new URL(address, `http://here${path}`);
      assert.equal(origin, 'http://here');
      assert.equal((await app.send(pathname)).status, 200, pathname);
    }
    assert.doesNotMatch(text, /<script>|<style>| on[a-z]+=/, 'code in the page, which its policy forbids');
  });
}

test('404 not_found: a file that the page at /docs does not have', async () => {
  const app = await buildTestApp();
  for (const url of ['/docs/nosuch', '/docs/static/nosuch.js']) {
    const { status, body } = await app.send(url);
    assert.deepEqual([status, body.code], [404, 'not_found'], url);
  }
});

test('the page does not send the document to a validator', async () => {
  const { text } = await (await buildTestApp()).send('/docs/static/swagger-initializer.js');
  assert.match(text, /"validatorUrl":\s*null/);
});

test('200: a page that could not be built for the first request is built for the next one', async (t) => {
  const { server } = await buildTestApp();
  const { readFileSync: read } = fs;
  const mocked = t.mock.method(fs, 'readFileSync', (...args: Parameters<typeof read>) => {
    if (String(args[0]).endsWith('/web/icon.svg')) throw new Error('no descriptor is left');
    return read(...args);
  });
  syncBuiltinESMExports();
  assert.equal((await server.inject('/docs')).statusCode, 500);
  mocked.mock.restore();
  syncBuiltinESMExports();
  assert.equal((await server.inject('/docs')).statusCode, 200);
});
