import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { BUILDS } from '../../release/files/build-files.ts';
import { readBuiltFile } from '../../src/http/files/built-files.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp } from '../rig/service/app.ts';

const TARBALL = `/client/transactions-client-${packageJson.version}.tgz`;
const run = promisify(execFile);

test('npm installs the package that the service serves, offline; CommonJS and ES modules load it', async (t) => {
  const folder = temporaryFolder(t);
  const { server } = await buildTestApp();
  t.after(() => server.close());
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const options = {
    cwd: folder.path,
    timeout: GIVE_UP_MS,
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, HOME: folder.path },
  };
  writeFileSync(join(folder.path, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${url}${TARBALL}`], options);
  for (const [name, entry] of [
    ['TransactionsClient', 'transactions-client'],
    ['PlatformClient', 'transactions-client/platform'],
  ] as const) {
    const made = `console.log(new ${name}({ url: 'https://service.test', apiKey: 'a-key' }).url);`;
    for (const [program, line] of [
      ['one.cjs', `const { ${name} } = require('${entry}');`],
      ['two.mjs', `import { ${name} } from '${entry}';`],
    ] as const) {
      writeFileSync(join(folder.path, program), `${line} ${made}`);
      assert.equal((await run('node', [program], options)).stdout, 'https://service.test\n');
    }
  }
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
