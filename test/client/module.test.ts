import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as source from '../../client/src/index.ts';
import * as platform from '../../client/src/platform.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { importedService } from '../rig/service/imported-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/using-the-api.md'), 'utf8');
const [, INSTALL = ''] = /```sh\n(curl -O [\s\S]*?)```/.exec(GUIDE) ?? [];
const RECORDING = readFileSync(join(ROOT, 'docs/recording.md'), 'utf8');
const [, RECORDING_INSTALL = ''] = /```sh\n(curl -O [\s\S]*?)```/.exec(RECORDING) ?? [];
const [, PROGRAM = ''] = /```js\n([\s\S]*?)```/.exec(GUIDE) ?? [];
const PATHS = ['client', 'platform'].flatMap((entry) =>
  ['mjs', 'd.mts'].map((ending) => `/client/transactions-${entry}.${ending}`),
);
const MAX_BYTES_GZIPPED = 21 * 1024;

const TYPED = `
import { type Transaction, TransactionsClient } from './transactions-client.mjs';
export const read = (client: TransactionsClient): Promise<Transaction[]> =>
  Array.fromAsync(client.transactions.list({ status: 'completed' }));
// @ts-expect-error: amounts are texts
export const wrong = ({ amount }: Transaction) => amount.toFixed();
// @ts-expect-error: not part of the client
export type { Sha256 } from './transactions-client.mjs';
`;

const TYPED_RECORDING = `
import { PlatformClient } from './transactions-platform.mjs';
// @ts-expect-error: an amount is a text
export const record = (platform: PlatformClient) => platform.create('store-1', { status: 'pending', amount: 1, currencyCode: 'EUR', createdAt: '' });
`;

test('200: the module and its types are revalidated, and have the right content types', async () => {
  const { server } = await buildTestApp();
  for (const url of PATHS) {
    const { statusCode, headers } = await server.inject(url);
    assert.equal(statusCode, 200);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    const kind = url.endsWith('.mjs') ? 'text/javascript' : 'text/plain';
    assert.equal(headers['content-type'], `${kind}; charset=utf-8`);
    const again = await server.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  }
  assert.equal((await server.inject('/client/package.json')).statusCode, 404);
});

for (const [entry, names] of [
  ['client', source],
  ['platform', platform],
] as const) {
  test(`the module ${entry} imports nothing, is under ${MAX_BYTES_GZIPPED / 1024} kB with gzip, and has the names of the package`, async () => {
    const { server } = await buildTestApp();
    const url = `/client/transactions-${entry}.mjs`;
    const { body: text } = await server.inject(url);
    assert.doesNotMatch(text, /^\s*import\b|\bimport\(|(?<!['"])\bfrom\s*['"]|\brequire\(/m);
    const { rawPayload } = await server.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    assert.ok(rawPayload.length < MAX_BYTES_GZIPPED, `${rawPayload.length} bytes`);
    const served = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    assert.deepEqual(Object.keys(served).sort(), Object.keys(names).sort());
  });
}

describe('in an empty folder, with the commands of the guide', () => {
  const csv = sampleCsv(30);
  const service = importedService(csv);
  const folder = temporaryFolder();
  const { path } = folder;
  const local = (text: string) => text.replaceAll('http://127.0.0.1:3000', service.url);
  const inFolder = (program: string, args: string[]) =>
    promisify(execFile)(program, args, {
      cwd: path,
      env: {
        PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
        TRANSACTIONS_URL: service.url,
        TRANSACTIONS_API_KEY: service.key,
      },
    });
  before(() =>
    inFolder('sh', ['-ec', local(INSTALL).replaceAll('curl ', 'curl --fail --silent --show-error ')]),
  );
  after(folder.remove);

  test('the client consists of two files', () => {
    assert.deepEqual(readdirSync(path).sort(), ['transactions-client.d.mts', 'transactions-client.mjs']);
  });

  test('the program of the guide runs', async () => {
    writeFileSync(join(path, 'newest.mjs'), local(PROGRAM));
    const { stdout, stderr } = await inFolder(process.execPath, ['newest.mjs']);
    const rows = expectedRows(csv, 'store-1').filter(({ status }) => status === 'completed');
    const lines = rows
      .slice(0, 10)
      .map((row) => `${row['reference']} ${row['amount']} ${row['currencyCode']}\n`);
    assert.equal(stdout, lines.join(''));
    assert.doesNotMatch(stderr, /Error/);
  });

  test('TypeScript finds the types beside the module', async () => {
    writeFileSync(join(path, 'typed.mts'), TYPED);
    writeFileSync(join(path, 'recording.mts'), TYPED_RECORDING);
    await inFolder('sh', ['-ec', local(RECORDING_INSTALL).replaceAll('curl ', 'curl -fsS ')]);
    const form = '--target es2022 --module nodenext --lib esnext,dom';
    const tsc = `tsc --strict --exactOptionalPropertyTypes --noEmit --types '' ${form} typed.mts recording.mts`;
    const { stdout } = await inFolder('sh', ['-ec', tsc]);
    assert.equal(stdout, '');
  });
});
