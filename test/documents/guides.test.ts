import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Entry, findEntries, termsOf } from '../../web/documents/search-entries.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { testConfig } from '../rig/service/test-config.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const app = await buildTestApp();
const operatorApp = await buildTestOperatorApp(app.store, app.clock);

const APPS = { public: app.server, operator: operatorApp.server } as const;
const GUIDES = {
  public: { has: ['specification', 'using-the-api', 'closing-a-month'], not: ['operating', 'settings'] },
  operator: { has: ['operating', 'settings', 'backup', 'recording', 'specification', 'security'], not: [] },
} as const;

const addressesIn = (text: string) =>
  [...text.matchAll(/(?:href|src)="([^"]+)"|\]\(([^)\s]+)\)/g)]
    .map(([, address, link]) => address ?? (link as string))
    .filter((address) => !/^https?:| /.test(address));

for (const [listener, server] of Object.entries(APPS))
  describe(`the guides of the ${listener} listener`, async () => {
    const get = async (path: string) => {
      const { statusCode, payload, headers } = await server.inject(path);
      return { status: statusCode, text: payload, headers };
    };
    const index = await get('/guides');
    const listed = [...index.text.matchAll(/<dt><a href="\/guides\/([^"]+)"/g)];
    const names = listed.map(([, name]) => name as string);
    const answers = new Map<string, Promise<{ status: number; text: string }>>();
    const getOnce = (path: string) => {
      const known = answers.get(path) ?? get(path);
      answers.set(path, known);
      return known;
    };

    async function checkAddress(from: string, address: string): Promise<void> {
      const { pathname, hash } = new URL(address, `http://here${from}`);
      const { status, text } = await getOnce(pathname);
      assert.equal(status, 200, `${from} links ${address}`);
      if (hash === '') return;
      const page = pathname.endsWith('.md') ? (await getOnce(pathname.slice(0, -'.md'.length))).text : text;
      assert.ok(page.includes(`id="${hash.slice(1)}"`), `${from} links ${address}, which is no heading`);
    }

    test('200: the list has every document of its readers, and no other', () => {
      assert.equal(index.status, 200);
      const { has, not } = GUIDES[listener as keyof typeof GUIDES];
      assert.deepEqual(
        has.filter((name) => !names.includes(name)),
        [],
      );
      assert.deepEqual(
        names.filter((name) => not.some((one) => one === name)),
        [],
      );
    });

    for (const name of names)
      test(`${name} is served as a page with one script of the service, and as Markdown, and every link of both works`, async () => {
        const page = await get(`/guides/${name}`);
        assert.equal(page.status, 200);
        assert.match(page.headers['content-type'] ?? '', /^text\/html/);
        const policy = String(page.headers['content-security-policy']);
        assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'sha256-/);
        assert.doesNotMatch(policy, /unsafe|https?:|data:/);
        assert.deepEqual(page.text.match(/<script[^>]*>/g), [
          '<script src="/guides/documents.js" type="module">',
        ]);
        assert.doesNotMatch(page.text, / style=| on[a-z]+="/);
        assert.match(page.text, /<h1 id="[^"]+">/);
        const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
        assert.deepEqual(ids, [...new Set(ids)], 'two headings have one anchor');
        const markdown = await get(`/guides/${name}.md`);
        assert.equal(markdown.status, 200);
        assert.match(markdown.headers['content-type'] ?? '', /^text\/markdown/);
        assert.match(markdown.text, /^# /);
        assert.doesNotMatch(markdown.text, /<!--/);
        for (const [path, text] of [
          [`/guides/${name}`, page.text],
          [`/guides/${name}.md`, markdown.text],
        ] as const)
          for (const address of new Set(addressesIn(text))) await checkAddress(path, address);
      });

    test('every link of /llms.txt works, and it lists every guide', async () => {
      const { status, text, headers } = await get('/llms.txt');
      assert.equal(status, 200);
      assert.match(headers['content-type'] ?? '', /^text\/plain/);
      const addresses = addressesIn(text);
      for (const name of names) assert.ok(addresses.includes(`/guides/${name}.md`), name);
      for (const address of addresses) await checkAddress('/llms.txt', address);
    });

    test('the search knows each guide, error and operation, and all its results exist', async () => {
      const entries: Entry[] = JSON.parse((await get('/guides/search.json')).text);
      for (const { address } of entries) await checkAddress('/guides/search.json', address);
      const has = (address: string) => entries.some((entry) => entry.address === address);
      for (const name of names) assert.ok(has(`/guides/${name}`), name);
      assert.ok(
        has('/errors/rate_limited') &&
          has(`/docs/${listener === 'public' ? 'listTransactions' : 'recordTransaction'}`),
      );
      assert.ok(entries.every(({ heading }) => heading !== ''));
      const [sought, place] =
        listener === 'public'
          ? ['how do I log in?', '/guides/looking-at-transactions#signing-in']
          : ['SSO', '/guides/staff#set-up'];
      const { found } = findEntries(entries, termsOf(sought));
      assert.ok(found.slice(0, 5).some(({ address }) => address === place));
    });

    test('404 not_found: an unknown guide, with a list of the guides, and an unknown file', async () => {
      const { status, text } = await get('/guides/pricing');
      assert.deepEqual([status, JSON.parse(text).code], [404, 'not_found']);
      assert.match(JSON.parse(text).detail, /specification/);
      assert.equal((await get('/guides/files/nosuch.png')).status, 404);
    });
  });

test('examples have the address of PUBLIC_URL, if it is set, on both listeners', async () => {
  const config = { ...testConfig, publicUrl: 'https://pay.example/' };
  const withUrl = await buildTestApp({ config });
  const operator = await buildTestOperatorApp(withUrl.store, withUrl.clock, config);
  assert.match(
    (await withUrl.send('/guides/using-the-api')).text,
    /https:\/\/pay\.example\/v1\/transactions/,
  );
  const { payload } = await operator.server.inject({
    url: '/guides/people',
    headers: { host: 'inside:9000' },
  });
  assert.match(payload, /PUBLIC_URL=https:\/\/pay\.example\//);
  assert.match(payload, /TRANSACTIONS_OPERATOR_URL=http:\/\/inside:9000/);
});

test('a picture and a sample for operators are served with their content types', async () => {
  const image = await app.server.inject('/guides/files/page-list.png');
  assert.equal(image.headers['content-type'], 'image/png');
  assert.deepEqual(image.rawPayload.subarray(1, 4).toString(), 'PNG');
  const sample = await operatorApp.server.inject('/guides/files/nginx.conf');
  assert.match(String(sample.headers['content-type']), /^text\/plain/);
  assert.match(sample.payload, /proxy_pass/);
});

test('the pages and headings that commands, alerts and samples name exist for the operator', async () => {
  const files = globSync(['src/**/*.ts', 'release/ops/*', 'compose.yaml'], { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && !/^src\/http\/documents\//.test(path),
  );
  let found = 0;
  for (const file of files)
    for (const [, name = '', heading] of readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(
      /(?:\/guides\/|docs\/(?=[a-z-]+\.md))([a-z-]+)(?:\.md)?(?:, "([^"]+)")?/g,
    )) {
      const { statusCode, payload } = await operatorApp.server.inject(`/guides/${name}.md`);
      assert.equal(statusCode, 200, `${file} names ${name}`);
      if (heading !== undefined)
        assert.match(payload, new RegExp(`^#+ ${heading}$`, 'm'), `${file}: ${heading}`);
      found++;
    }
  assert.ok(found > 20, `${found} places`);
});
