import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { BUILDS } from '../../release/files/build-files.ts';
import { readBuiltFile } from '../../src/http/files/built-files.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importedService } from '../rig/service/imported-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'client/README.md'), 'utf8');
const [, QUICK_START = ''] = README.match(/```ts\n([\s\S]*?)```/) ?? [];
const COMMON_JS = `import { type Transaction, TransactionsClient } from 'transactions-client';
export const read = (client: TransactionsClient): Promise<Transaction> => client.transactions.retrieve('a');
`;

describe('the package that the service serves, installed by npm', () => {
  const folder = temporaryFolder();
  const csv = sampleCsv(400);
  const service = importedService(csv);

  const inFolder = async (command: string, args: readonly string[]) => {
    const path = [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), process.env['PATH']];
    const env = {
      PATH: path.join(delimiter),
      HOME: folder.path,
      TRANSACTIONS_URL: service.url,
      TRANSACTIONS_API_KEY: service.key,
    };
    const options = { cwd: folder.path, timeout: GIVE_UP_MS, env };
    const outcome = promisify(execFile)(command, args, options);
    return (await outcome.catch((error) => assert.fail(`${error}${error.stdout}`))).stdout;
  };
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);

  before(async () => {
    write('package.json', '{ "type": "module" }');
    const url = `${service.url}/client/transactions-client-${packageJson.version}.tgz`;
    await inFolder('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', url]);
  });
  after(folder.remove);

  test('CommonJS and ES modules load both entries', async () => {
    for (const [name, entry] of [
      ['TransactionsClient', 'transactions-client'],
      ['PlatformClient', 'transactions-client/platform'],
    ] as const) {
      const made = `console.log(new ${name}({ url: 'https://service.test', apiKey: 'a-key' }).url);`;
      for (const [program, line] of [
        ['one.cjs', `const { ${name} } = require('${entry}');`],
        ['two.mjs', `import { ${name} } from '${entry}';`],
      ] as const) {
        write(program, `${line} ${made}`);
        assert.equal(await inFolder('node', [program]), 'https://service.test\n');
      }
    }
  });

  test('the program of its README runs, and its total is right', async () => {
    write('quick-start.ts', QUICK_START.replace("'EUR'", "'CAD'"));
    const amounts = expectedRows(csv, 'store-1').map(({ amount }) => Math.round(Number(amount) * 100));
    const total = amounts.reduce((sum, minor) => sum + minor, 0);
    assert.equal(await inFolder('node', ['quick-start.ts']), `${total} cents\n`);
  });

  test('strict TypeScript finds the types, for each kind of module', async () => {
    for (const [form, ending, program] of [
      ['--module nodenext', 'mts', QUICK_START],
      ['--module nodenext', 'cts', COMMON_JS],
      ['--module esnext --moduleResolution bundler', 'ts', QUICK_START],
    ] as const) {
      write(`typed.${ending}`, program);
      const types = `--target es2022 --typeRoots ${join(ROOT, 'node_modules/@types')} --types node`;
      const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit';
      assert.equal(await inFolder('sh', ['-ec', `tsc ${strict} ${form} ${types} typed.${ending}`]), '');
    }
  });
});

test('every build of the package has the same bytes, and only the files that it needs', async () => {
  const one = await readBuiltFile('transactions-client.tgz');
  const other = await BUILDS['transactions-client.tgz']();
  assert.ok(one.equals(other));
  const names: string[] =
    gunzipSync(one)
      .toString('latin1')
      .match(/package\/[\w./-]+/g) ?? [];
  for (const name of ['package.json', 'README.md', 'LICENSE', 'dist/esm/index.js', 'dist/cjs/index.d.ts'])
    assert.ok(names.includes(`package/${name}`), name);
  assert.ok(!names.some((name) => /\/src\/|\.test\.|node_modules/.test(name)));
});
