import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXAMPLES } from '../../src/http/examples.ts';
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

test('each served OpenAPI document has a relative address, and an example of each response, in which a page is the last one', async () => {
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

for (const listener of ['public', 'operator'] as const)
  test(`the reference of the ${listener} listener has a page for each operation, with each error it can have and every parameter`, async () => {
    const app = await buildTestApp();
    const { server } = listener === 'public' ? app : await buildTestOperatorApp(app.store, app.clock);
    const list = await server.inject('/docs');
    assert.equal(list.statusCode, 200);
    const offered = OPERATIONS.flatMap((operation) => {
      const offer = operation[listener];
      return offer === undefined ? [] : [{ operation, offer }];
    });
    assert.ok(offered.length > 20);
    for (const { operation, offer } of offered) {
      assert.ok(list.payload.includes(`href="/docs/${offer.id}"`), offer.id);
      const { statusCode, payload, headers } = await server.inject(`/docs/${offer.id}`);
      assert.equal(statusCode, 200);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; /);
      for (const { code } of problemsOf(operation, listener))
        assert.ok(payload.includes(`href="/errors/${code}"`), `${offer.id} ${code}`);
      for (const [, name] of offer.path.matchAll(/:(\w+)/g))
        assert.ok(payload.includes(`data-in="path" data-name="${name}"`), `${offer.id} ${name}`);
      assert.doesNotMatch(
        payload,
        /<script>|<style>(?![\s\S]*<\/style><script src)| on[a-z]+=|undefined|\[object/,
        offer.id,
      );
      const ids = [...payload.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual(ids, [...new Set(ids)], offer.id);
    }
  });

test('a page of the reference has every example of a response', async () => {
  const { text } = await (await buildTestApp()).send('/docs/listTransactions');
  for (const { summary, value } of Object.values(EXAMPLES.list)) {
    assert.ok(text.includes(summary), summary);
    assert.ok(text.includes(JSON.stringify(value.data[0], null, 2).split('\n')[1] as string));
  }
});

test('the GET requests that the reference shows succeed, or the response names what the service does not have', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
  const reading = OPERATIONS.filter(({ method, public: offer }) => method === 'GET' && offer !== undefined);
  for (const { public: offer } of reading) {
    const { text } = await app.send(`/docs/${offer?.id}`, { headers: { host: 'shop.example' } });
    const [, path = assert.fail(offer?.id)] = /'http:\/\/shop\.example(\/[^']*)'/.exec(text) ?? [];
    const { status } = await app.send(path.replaceAll('&amp;', '&'), { key });
    assert.ok([200, 404].includes(status), `${path}: ${status}`);
  }
});
