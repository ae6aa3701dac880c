import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LANGUAGES, LATER_SCRIPTS } from '../../release/files/build-page.ts';
import { type ReadBuiltFile, readBuiltFile } from '../../src/http/files/built-files.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const MAX_BYTES = { br: 62_000, gzip: 70_000 };
const LOADED = [...Object.keys(LATER_SCRIPTS), ...Object.keys(LANGUAGES)];
const app = await buildTestApp();
const page = await app.server.inject('/');
const addresses = [...page.body.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(
  ([, address]) => address as string,
);
const scripts = await scriptsOf(app);

test('200: the page at / is revalidated, and sent again only after a change', async () => {
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page.headers['cache-control'], 'no-cache');
  const etag = String(page.headers.etag);
  for (const known of [etag, `"x", W/${etag}`]) {
    const again = await app.server.inject({ url: '/', headers: { 'if-none-match': known } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
    assert.deepEqual([again.headers.etag, again.headers.vary], [etag, 'accept-encoding']);
  }
  const older = await app.server.inject({ url: '/', headers: { 'if-none-match': '"older"' } });
  assert.equal(older.statusCode, 200);
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

test('200: the pages of EMBED_ORIGINS can frame the page, which contains SESSION_RETURN_URL', async () => {
  const embedOrigins = ['https://platform.example', 'http://localhost:8080'];
  const sessionReturnUrl = 'https://platform.example/pay?a=1&b="';
  const framed = await buildTestApp({ config: { ...testConfig, embedOrigins, sessionReturnUrl } });
  const { headers, body } = await framed.server.inject('/');
  assert.match(
    String(headers['content-security-policy']),
    / frame-ancestors https:\/\/platform\.example http:\/\/localhost:8080; /,
  );
  assert.match(
    body,
    /<meta name="session-return-url" content="https:\/\/platform\.example\/pay\?a=1&amp;b=%22">/,
  );
  assert.match(page.body, /<meta name="session-return-url" content="">/);
});

async function sizeOf(urls: Iterable<string>, encoding: string): Promise<number> {
  let total = 0;
  for (const url of urls) {
    const { rawPayload } = await app.server.inject({ url, headers: { 'accept-encoding': encoding } });
    total += rawPayload.length;
  }
  return total;
}

test('200: the page has one script and one style sheet, which are cached forever and load only later screens and languages', async () => {
  assert.deepEqual(
    addresses.map((address) => address.split('/').at(-1)),
    ['icon.svg', 'page.css', 'page.js'],
  );
  for (const address of addresses) {
    const { statusCode, headers, body } = await app.server.inject(address);
    assert.equal(statusCode, 200, address);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    const later = new Set(body.match(/\bimport\("\.\/[^"]+"\)|import\{|@import|\burl\(/g));
    const expected = address.endsWith('.js') ? LOADED.map((name) => `import("./${name}.${scripts}.js")`) : [];
    assert.deepEqual([...later].sort(), expected.sort(), address);
  }
});

test('200: the script, the style sheet and the texts of a language are small with brotli and with gzip', async () => {
  const files = addresses.filter((address) => /\.(?:js|css)$/.test(address));
  assert.equal(files.length, 2);
  const script = addresses.find((address) => address.endsWith('.js')) as string;
  for (const language of ['de', 'fr'])
    for (const [encoding, most] of Object.entries(MAX_BYTES)) {
      const ofLanguage = script.replace('page.js', `${language}.${scripts}.js`);
      const total = await sizeOf([...files, ofLanguage], encoding);
      assert.ok(total < most, `${language}: ${total} bytes with ${encoding}`);
    }
});

async function scriptsOf({ server }: Pick<TestApp, 'server'>): Promise<string> {
  const { body } = await server.inject('/page/any-version/page.js');
  const [, version = ''] = /import\("\.\/webhooks\.([\w-]{16})\.js"\)/.exec(body) ?? [];
  return version;
}

test('404: a later script is served only to the page script of the same build, because they share the shortened names of texts', async () => {
  for (const changed of ['page.js', 'reconcile.js'] as const) {
    const readChanged: ReadBuiltFile = async (name) =>
      Buffer.concat([await readBuiltFile(name), Buffer.from(name === changed ? '\n' : '')]);
    const other = await buildTestApp({ readBuiltFile: readChanged });
    const version = await scriptsOf(other);
    assert.notEqual(version, scripts, `another ${changed} has the same later scripts`);
    for (const name of [`webhooks.${scripts}.js`, `de.${scripts}.js`, 'webhooks.js'])
      assert.equal((await other.server.inject(`/page/any-version/${name}`)).statusCode, 404, name);
    assert.equal((await other.server.inject(`/page/any-version/webhooks.${version}.js`)).statusCode, 200);
  }
});

test('200: a page of another version, as during an update, gets the files of this version, which are not cached', async () => {
  const current = addresses.find((address) => address.endsWith('.js')) as string;
  const { statusCode, headers, body } = await app.server.inject('/page/another-version/page.js');
  assert.equal(statusCode, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(body, (await app.server.inject(current)).body);
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
