import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTestApp } from '../rig/app.ts';

const MAX_BYTES = 60_000;
/** An import or export at the beginning of a line. */
const IMPORT = /^(?:import|export)\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;

const app = await buildTestApp();
const page = await app.server.inject('/');
const addresses = [...page.body.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(
  ([, address]) => address as string,
);

test('200: the page at / is HTML that is revalidated, and sent again only after a change', async () => {
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['cache-control'], 'no-cache');
  const etag = String(page.headers.etag);
  const again = await app.server.inject({ url: '/', headers: { 'if-none-match': etag } });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
});

test('200: the page runs only its own files and cannot be framed', () => {
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.match(policy, /form-action 'none'/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*|data:|nonce/);
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.doesNotMatch(
    page.body,
    /<script>|<style|style=| on[a-z]+=/,
    'code in the page, which its policy forbids',
  );
});

test('200: every file of the page exists, is cached forever, and imports only files of the page', async () => {
  assert.ok(addresses.length > 10);
  for (const address of new Set(addresses)) {
    const { statusCode, headers, body } = await app.server.inject(address);
    assert.equal(statusCode, 200, address);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    if (!String(headers['content-type']).startsWith('text/javascript')) continue;
    for (const [, name = ''] of body.matchAll(IMPORT)) {
      const { pathname } = new URL(name, `http://here${address}`);
      assert.ok(name.startsWith('.'), `${address} imports ${name}, which no browser finds`);
      assert.ok(addresses.includes(pathname), `${address} imports ${name}, which is not preloaded`);
    }
  }
});

test(`200: the page and all of its files are under ${MAX_BYTES} bytes with gzip`, async () => {
  const sizes = await Promise.all(
    ['/', ...new Set(addresses)].map(async (url) => {
      const { rawPayload } = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      return rawPayload.length;
    }),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total < MAX_BYTES, `${total} bytes`);
});

test('200: a file is sent in an encoding that the browser accepts, with the same content in each', async () => {
  const url = addresses[0] as string;
  const plain = await app.server.inject(url);
  const gzipped = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip, deflate' } });
  const brotli = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(gzipped.headers['content-encoding'], 'gzip');
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.deepEqual(gunzipSync(gzipped.rawPayload), plain.rawPayload);
  assert.deepEqual(brotliDecompressSync(brotli.rawPayload), plain.rawPayload);
  for (const { headers } of [plain, gzipped, brotli]) assert.equal(headers['vary'], 'accept-encoding');
});

test('404: a path that is not a file of the page gets a problem document', async () => {
  const [version = ''] = /\/page\/[^/]+/.exec(page.body) ?? [];
  for (const path of [
    `${version}/package.json`,
    `${version}/../../package.json`,
    `${version}/..%2f..%2fpackage.json`,
    `${version}/web/text/amount.test.ts`,
    `${version}/`,
    '/page/another-version/web/main.ts',
    '/page/',
  ]) {
    const { status, body } = await app.send(path);
    assert.equal(status, 404, path);
    assert.equal(body.code, 'not_found');
  }
});

test('405: the page accepts GET and HEAD only', async () => {
  for (const path of ['/', addresses[0] as string]) {
    const { status, headers } = await app.send(path, { method: 'POST' });
    assert.equal(status, 405);
    assert.equal(headers['allow'], 'GET, HEAD');
  }
});
