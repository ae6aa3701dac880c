import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildTestApp } from '../rig/service/app.ts';

const app = await buildTestApp();

/** The addresses of a page or of Markdown that lead to the service. */
const addressesIn = (text: string) =>
  [...text.matchAll(/href="([^"]+)"|\]\(([^)\s]+)\)/g)]
    .map(([, href, link]) => href ?? (link as string))
    .filter((address) => !/^https?:/.test(address));

const index = await app.send('/guides');
const names = [...index.text.matchAll(/href="\/guides\/([^"]+)"/g)].map(([, name]) => name as string);

/** Checks that an address of a page leads to something, and its fragment to a heading. */
async function checkAddress(from: string, address: string): Promise<void> {
  const { pathname, hash } = new URL(address, `http://here${from}`);
  const { statusCode, payload } = await app.server.inject(pathname);
  assert.equal(statusCode, 200, `${from} links ${address}`);
  if (hash === '') return;
  const page = pathname.endsWith('.md') ? (await app.send(pathname.slice(0, -'.md'.length))).text : payload;
  assert.ok(page.includes(`id="${hash.slice(1)}"`), `${from} links ${address}, which is no heading`);
}

test('200: the list of guides has the specification, and every document for callers', () => {
  assert.equal(index.status, 200);
  assert.ok(names.includes('specification') && names.length >= 9, names.join(' '));
});

for (const name of names)
  describe(name, () => {
    test('200: it is a page that runs no code, and as Markdown', async () => {
      const page = await app.send(`/guides/${name}`);
      assert.equal(page.status, 200);
      assert.match(page.headers['content-type'] ?? '', /^text\/html/);
      assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
      assert.doesNotMatch(page.text, /<script|<img| style=| on[a-z]+=/);
      assert.match(page.text, /<h1 id="[^"]+">/);
      const markdown = await app.send(`/guides/${name}.md`);
      assert.equal(markdown.status, 200);
      assert.match(markdown.headers['content-type'] ?? '', /^text\/markdown/);
      assert.match(markdown.text, /^# /);
    });

    test('every link of it leads to something', async () => {
      for (const path of [`/guides/${name}`, `/guides/${name}.md`]) {
        const { text } = await app.send(path);
        for (const address of new Set(addressesIn(text))) await checkAddress(path, address);
      }
    });
  });

test('every link of /llms.txt leads to something, and it has every guide', async () => {
  const { status, text, headers } = await app.send('/llms.txt');
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^text\/plain/);
  const addresses = addressesIn(text);
  for (const name of names) assert.ok(addresses.includes(`/guides/${name}.md`), name);
  for (const address of addresses) await checkAddress('/llms.txt', address);
});

test('404 not_found: an unknown guide, with the guides that there are', async () => {
  const { status, body } = await app.send('/guides/pricing');
  assert.deepEqual([status, body.code], [404, 'not_found']);
  assert.match(body.detail, /specification/);
});
