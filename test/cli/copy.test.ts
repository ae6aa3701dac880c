import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, type TestContext, test } from 'node:test';
import { createAccountKey, createOperatorKey, RecordingLoad } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import {
  call,
  importCsv,
  type RunOptions,
  recordPending,
  run,
  start,
  startRunning,
  startServe,
  walkList,
  withoutProgress,
} from '../rig/service/process.ts';
import { contentsOf } from '../rig/store/copy.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = 3000;
const SOURCE = 'sqlite:source.db';
const TARGET = 'sqlite:target.db';

/** Starts a copy that follows. Resolves when it has copied everything that there is. */
async function startFollowing(t: TestContext, args: string[], options: RunOptions) {
  const copy = startRunning(t, ['copy', ...args, '--follow'], options);
  await copy.prints('Nothing behind.');
  return copy;
}

transcript(import.meta.url);

describe('copy', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let options: RunOptions;
  beforeEach(() => {
    folder = temporaryFolder();
    options = { cwd: folder.path, env: { DATABASE_URL: SOURCE } };
  });
  afterEach(() => folder.remove());

  const move = (...args: string[]) => run(['copy', '--from', SOURCE, '--to', TARGET, ...args], options);
  const copy = (...args: string[]) => move('--keep-source', ...args);
  const both = async () => [
    await contentsOf(`sqlite:${folder.path}/source.db`),
    await contentsOf(`sqlite:${folder.path}/target.db`),
  ];

  test('copies everything into a database that does not exist, and ends with 0', async () => {
    await importCsv(sampleCsv(ROWS), options);
    await createOperatorKey(options);
    const { status, stdout, stderr } = await copy();
    assert.match(
      stdout,
      /^Copied [\d,]+ changes and 2 records from sqlite:source\.db to sqlite:target\.db in \d+ s\.\nBoth are equal: the heads and seals of \d+ accounts with [\d,]+ changes\.\n$/,
    );
    assert.deepEqual([status, stderr], [0, '']);
    const [there, here] = await both();
    assert.deepEqual(here, there);
  });

  test('leaves nothing to record in the source to a service that runs on: it answers 503', async () => {
    const served = await startServe({
      ...options,
      env: { ...options.env, OPERATOR_PORT: '0', WEBHOOKS: 'off' },
    });
    try {
      const operatorKey = await createOperatorKey(options);
      const put = (reference: string) => recordPending(served, operatorKey, reference);
      assert.equal((await put('before')).status, 201);
      const { status, stderr } = await move();
      assert.equal(status, 0, stderr);
      const refused = await put('behind');
      assert.equal(refused.status, 503, await refused.text());
      assert.equal((await move()).status, 0);
      assert.equal((await run(['reopen'], options)).status, 0);
      assert.equal((await put('behind')).status, 201);
      const again = await move();
      assert.match(again.stderr, /^The target has data that is not from a copy of this source\./m);
      assert.equal(again.status, 1);
      const other = await run(['copy', '--from', SOURCE, '--to', 'sqlite:other.db'], options);
      assert.equal(other.status, 0, other.stderr);
      await put('again');
      await served.stop();
      assert.match(
        served.logged(),
        /the data was moved to another database.*could not store when keys were last used"/,
      );
    } finally {
      await served.stop();
    }
  });

  test('whose connection is lost says that the same command copies the rest, which it does', async (t) => {
    await importCsv(sampleCsv(ROWS), options);
    const url = await makePostgresDatabase();
    const args = ['--from', SOURCE, '--to', url, '--keep-source'];
    const { exited, output } = await startFollowing(t, args, options);
    await queryPostgres(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    assert.deepEqual(await exited, [1, null]);
    assert.match(
      withoutProgress(output.stderr),
      /^The copy was cut off: .+\.\nRun the command again when both databases can be used: it copies the rest\.\n$/,
    );
    const again = await run(['copy', ...args], options);
    assert.equal(again.status, 0, again.stderr);
  });

  test('prints no password of an address', async () => {
    await importCsv(sampleCsv(10), options);
    const url = new URL(await makePostgresDatabase());
    url.password = 'hunter2';
    const copied = await run(['copy', '--from', SOURCE, '--to', url.href], options);
    const marks = async () =>
      (
        await queryPostgres(
          url.href,
          "SELECT count(*) FILTER (WHERE other_database NOT LIKE '%hunter2%')::int AS marks FROM copy_state",
        )
      )[0];
    assert.deepEqual(await marks(), { marks: 0 });
    const back = await run(['copy', '--from', url.href, '--to', TARGET], options);
    assert.deepEqual([copied.status, back.status, await marks()], [0, 0, { marks: 1 }]);
    for (const { stdout, stderr } of [copied, back]) {
      assert.doesNotMatch(stdout + stderr, /hunter2/);
      assert.match(stdout, /postgres(ql)?:\/\//);
    }
  });
});

const TARGETS = [
  ['SQLite', async () => TARGET],
  ['PostgreSQL', () => makePostgresDatabase()],
] as const;

for (const [name, makeTarget] of someInTier(TARGETS, 1)) {
  test(`copy --follow to ${name} beside a service: keys, cursors and the feed go on in the target`, async (t) => {
    const folder = temporaryFolder(t);
    const targetUrl = await makeTarget();
    const options = { cwd: folder.path, env: { DATABASE_URL: SOURCE, OPERATOR_PORT: '0' } };
    await importCsv(sampleCsv(ROWS), options);
    const operatorKey = await createOperatorKey(options);
    const served = await startServe(options);
    const load = new RecordingLoad('store-9');
    load.start(served.operatorUrl, operatorKey);
    await load.untilAcknowledged(100);

    const child = start(['copy', '--from', SOURCE, '--to', targetUrl, '--follow', '--json'], options);
    const exited = once(child, 'exit');
    const stderr = text(child.stderr as NodeJS.ReadableStream);
    const printed: string[] = [];
    const isBehind = Promise.withResolvers<void>();
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed.push(chunk);
      if (/"behind":\{"changes":[1-9]/.test(printed.join(''))) isBehind.resolve();
    });
    child.once('exit', () => isBehind.reject(new Error('the copy ended')));
    await isBehind.promise;

    const first = await createAccountKey(served, operatorKey, 'store-1');
    const response = await call(`${served.url}/v1/transactions`, first);
    const { nextCursor } = (await response.json()) as { nextCursor: string };
    const rows = await walkList(served.url, first);
    await load.untilAcknowledged(load.acknowledged.size + 50);
    child.kill('SIGTERM');
    const [status] = await exited;
    await load.stop();
    await served.stop();
    assert.match(await stderr, /^SIGTERM: the copy marks the source as moved, copies the rest and ends\./m);
    assert.equal(status, 0, printed.join(''));
    assert.ok('compared' in (jsonLines(printed.join('')).at(-1) as object));

    const moved = await startServe({ ...options, env: { ...options.env, DATABASE_URL: targetUrl } });
    try {
      assert.deepEqual(await walkList(moved.url, first), rows);
      const page = await call(`${moved.url}/v1/transactions?cursor=${nextCursor}`, first);
      assert.equal(page.status, 200, await page.text());
      assert.ok((await load.check(moved, operatorKey)) >= 150);
    } finally {
      await moved.stop();
    }
  });
}
