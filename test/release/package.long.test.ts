import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '#package' with { type: 'json' };
import { BUILDS } from '../../release/files/build-files.ts';
import { versionText } from '../../src/service/build-info.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { noteKey } from '../rig/database/isolation.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { startPackageRegistry } from '../rig/service/package-registry.ts';
import { walkList } from '../rig/service/process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROWS = 60;

const running = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

describe('the package of the service', () => {
  const folder = temporaryFolder();
  const project = join(folder.path, 'project');
  const installed = join(project, 'node_modules/transactions');
  const env = (more: Record<string, string> = {}) => ({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder.path,
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_update_notifier: 'false',
    ...more,
  });
  const inProject = (program: string, args: string[], more?: Record<string, string>) =>
    promisify(execFile)(program, args, { cwd: project, env: env(more), timeout: GIVE_UP_MS });
  const transactions = (args: string[], more?: Record<string, string>) =>
    inProject(join(project, 'node_modules/.bin/transactions'), args, more);
  const started: ChildProcess[] = [];
  const untilPrinted = async (args: string[], pattern: RegExp) => {
    const child = spawn(join(project, 'node_modules/.bin/transactions'), args, {
      cwd: project,
      env: env({ PORT: '0' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text));
    const ended = once(child, 'exit').then(() => assert.fail(printed));
    for (let found = pattern.exec(printed); ; found = pattern.exec(printed)) {
      if (found !== null) return { child, found };
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended]);
    }
  };
  const stop = async (child: ChildProcess) => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  };

  before(async () => {
    mkdirSync(project);
    writeFileSync(
      join(project, 'package.json'),
      '{ "name": "project", "version": "1.0.0", "private": true }',
    );
    await inProject('npm', ['pack', ROOT, '--silent', '--pack-destination', project]);
    const registry = await startPackageRegistry();
    const install = ['install', '--registry', registry, '--omit=optional', '--no-audit', '--no-fund'];
    await inProject('npm', [...install, `./transactions-${packageJson.version}.tgz`]);
  });
  after(() => {
    for (const child of started) child.kill('SIGKILL');
    folder.remove();
  });

  test('contains the code that runs, as JavaScript, and nothing else', () => {
    const names = readdirSync(installed, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('node_modules') && statSync(join(installed, name)).isFile())
      .sort();
    const service = [
      'bin',
      'src',
      'values',
      'client/commands',
      'client/reconcile',
      'client/search-text',
      'client/src',
    ]
      .flatMap(running)
      .filter((path) => path !== 'bin/transactions.js')
      .map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
    const page = ['dist/client/package.json', 'dist/web/index.html', 'dist/web/icon.svg'];
    const built = Object.keys(BUILDS).map((name) => `dist/built/${name}`);
    const kit = [
      'proof/conformance/package.json',
      ...['proof/conformance/bin', 'proof/conformance/src'].flatMap(running),
    ];
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', ...kit];
    const other = ['bin/transactions.js', 'dist/commit'];
    assert.deepEqual(names, [...documents, ...other, ...service, ...page, ...built].sort());
    for (const database of ['sqlite', 'postgres'])
      assert.ok(names.includes(`dist/src/db/${database}/migrations/0001-initial.sql`));
  });

  test('migrates, imports, makes keys, serves with two processes, verifies and backs up', async () => {
    assert.equal((await transactions(['--version'])).stdout, `${versionText()}\n`);
    const csv = sampleCsv(ROWS);
    writeFileSync(join(project, 'payments.csv'), csv);
    await transactions(['import', 'payments.csv']);
    const made = await transactions(['keys', 'create', '--account', 'store-1', '--json']);
    const { key } = JSON.parse(made.stdout) as { key: string };
    noteKey(key, 'store-1');
    const { child, found } = await untilPrinted(
      ['serve', '--workers', '2'],
      /"url":"([^"]+)".*"msg":"listening"/,
    );
    const [, url = ''] = found;
    assert.deepEqual(await walkList(url, key), expectedRows(csv, 'store-1').slice(0, ROWS));
    const listed = await transactions(['list', '--url', url, '--json'], { TRANSACTIONS_API_KEY: key });
    assert.equal(listed.stdout.trimEnd().split('\n').length, ROWS / 2);
    const kit = join(project, 'node_modules/.bin/transactions-conformance');
    assert.match((await inProject(kit, ['--help'])).stdout, /^Usage: transactions-conformance /);
    assert.match((await transactions(['backup', 'backup.db'])).stdout, /: no disagreement\.\n/);
    await stop(child);
  });

  test('demo serves the page, the client, the reference and the errors as the repository does', async () => {
    const { child, found } = await untilPrinted(['demo'], /(http:\/\/127\.0\.0\.1:\d+)[\s\S]*\/docs\./);
    const [, url = ''] = found;
    const here = await buildTestApp();
    const page = await here.server.inject('/');
    const files = [...page.body.matchAll(/(?:href|src)="(\/page\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.equal(files.length, 3);
    for (const path of [
      '/',
      ...files,
      '/openapi.json',
      '/client/transactions-client.mjs',
      '/client/transactions-platform.mjs',
      '/client/transactions-client.d.mts',
      '/errors',
    ]) {
      const [response, expected] = [await fetch(url + path), await here.server.inject(path)];
      assert.deepEqual([response.status, await response.text()], [200, expected.body], path);
    }
    for (const path of ['/docs', '/docs/listTransactions', '/guides/using-the-api']) {
      const response = await fetch(url + path);
      assert.ok((await response.text()).length > 0);
      assert.equal(response.status, 200, path);
    }
    await stop(child);
  });
});
