import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTestApp } from '../rig/app.ts';

const MAX_BYTES = 60_000;
/** An import or export at the beginning of a line. */
const IMPORT = /^(?:import|export)\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
/** The parts that are loaded when they are needed, and how a module imports them. */
const LATER_PARTS = [
  'chart.ts',
  'csv-rows.ts',
  'empty-panel.ts',
  'export-panel.ts',
  'local-days-note.ts',
  'long-range-panel.ts',
  'misspelt-screen.ts',
  'no-read-screen.ts',
  'other-account-screen.ts',
  'rows-file.ts',
  'search-screen.ts',
  'spreadsheet.ts',
  'timeline.ts',
  'webhooks-screen.ts',
];
const LATER_IMPORT = /\bimport\(['"]([^'"]+)['"]\)/g;

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
  assert.deepEqual([again.headers.etag, again.headers.vary], [etag, 'accept-encoding']);
  const headers = { 'if-none-match': etag, 'accept-encoding': 'gzip' };
  const gzipped = await app.server.inject({ url: '/', headers });
  assert.equal(gzipped.statusCode, 200, 'the bytes of another coding are not those of the ETag');
  assert.notEqual(gzipped.headers.etag, etag);
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

const isModule = (headers: Record<string, unknown>) =>
  String(headers['content-type']).startsWith('text/javascript');

/** The addresses of the modules that a module imports. */
function importsOf(address: string, body: string, pattern: RegExp): string[] {
  return [...body.matchAll(pattern)].map(([, name = '']) => {
    assert.ok(name.startsWith('.'), `${address} imports ${name}, which no browser finds`);
    return new URL(name, `http://here${address}`).pathname;
  });
}

/** The bytes of files with gzip. */
async function sizeOf(urls: Iterable<string>): Promise<number> {
  let total = 0;
  for (const url of urls) {
    const { rawPayload } = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    total += rawPayload.length;
  }
  return total;
}

test('200: every file of the page exists, is cached forever, and imports only files of the page', async () => {
  assert.ok(addresses.length > 10);
  const found = new Set(addresses);
  const later = new Set<string>();
  // The loop also visits what it adds.
  for (const address of found) {
    const { statusCode, headers, body } = await app.server.inject(address);
    assert.equal(statusCode, 200, address);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    if (!isModule(headers)) continue;
    for (const imported of importsOf(address, body, IMPORT)) {
      if (addresses.includes(address))
        assert.ok(addresses.includes(imported), `${address} imports ${imported}, which is not preloaded`);
      found.add(imported);
    }
    for (const imported of importsOf(address, body, LATER_IMPORT)) {
      later.add(imported);
      found.add(imported);
    }
  }
  assert.deepEqual([...later].map((address) => address.split('/').at(-1)).sort(), LATER_PARTS);
  for (const address of later)
    assert.ok(!addresses.includes(address), `${address} is preloaded, though it is loaded when needed`);
});

test('200: a module is its source without types and comments, line by line', async () => {
  const address = addresses.find((one) => one.endsWith('/web/state/route.ts')) as string;
  const { body } = await app.server.inject(address);
  const source = readFileSync(new URL('../../web/state/route.ts', import.meta.url), 'utf8');
  const [sent, written] = [body, source].map((text) => text.split('\n'));
  assert.equal(sent?.length, written?.length);
  assert.match(source, /^ \* The route is what the page shows/m);
  assert.doesNotMatch(body, /^\s*(?:\/\*|\*|\/\/)/m);
  const line = written?.indexOf("const ROOT = '#/transactions';") ?? -1;
  assert.equal(sent?.[line], written?.[line]);
});

test(`200: the page and all files of its first list are under ${MAX_BYTES} bytes with gzip`, async () => {
  const total = await sizeOf(['/', ...new Set(addresses)]);
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
  const refused = await app.server.inject({ url, headers: { 'accept-encoding': 'br;q=0, identity;q=0.5' } });
  assert.deepEqual([refused.headers['content-encoding'], refused.body], [undefined, plain.body]);
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
