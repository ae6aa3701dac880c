import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createAccountKey, createOperatorKey, RecordingLoad } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import {
  importCsv,
  type RunOptions,
  run,
  start,
  startServe,
  walkList,
  withoutProgress,
} from '../rig/service/process.ts';
import { contentsOf } from '../rig/store/copy.ts';
import { type StoreHarness, sqliteHarness } from '../rig/store/store-harness.ts';

const ROWS = 3000;
const SOURCE = 'sqlite:source.db';
const TARGET = 'sqlite:target.db';

/** Starts a copy that follows. Resolves when it has copied everything that there is. */
async function startFollowing(args: string[], options: RunOptions) {
  const child = start(['copy', ...args, '--follow'], options);
  const exited = once(child, 'exit');
  const stderr = text(child.stderr as NodeJS.ReadableStream);
  const hasCopied = Promise.withResolvers<void>();
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    printed += piece;
    if (printed.includes('Nothing behind.')) hasCopied.resolve();
  });
  child.once('exit', () => hasCopied.reject(new Error('the copy ended')));
  await hasCopied.promise;
  return { child, exited, stderr };
}

describe('copy', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let options: RunOptions;
  /** The options of a command on the target. */
  let onTarget: RunOptions;
  beforeEach(() => {
    folder = temporaryFolder();
    options = { cwd: folder.path, env: { DATABASE_URL: SOURCE } };
    onTarget = { cwd: folder.path, env: { DATABASE_URL: TARGET } };
  });
  afterEach(() => folder.remove());

  const move = (...args: string[]) => run(['copy', '--from', SOURCE, '--to', TARGET, ...args], options);
  const copy = (...args: string[]) => move('--keep-source', ...args);
  const changeTarget = (sql: string) => {
    const db = new DatabaseSync(`${folder.path}/target.db`);
    db.exec(sql);
    db.close();
  };
  const markTarget = () =>
    changeTarget(
      `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, 'copying', 'sqlite:${folder.path}/source.db', 0)`,
    );
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

  test('marks the source as moved: it is used again after "reopen", or after a copy back', async () => {
    await importCsv(sampleCsv(10), options);
    const notMarked = await run(['reopen'], options);
    assert.deepEqual([notMarked.status, notMarked.stdout], [0, '']);
    assert.match(notMarked.stderr, /It is not marked as moved\.\n$/);
    const moved = await move();
    assert.equal(moved.status, 0);
    assert.match(
      moved.stderr,
      /source\.db is marked as moved: no service starts on it, and one that runs answers recordings with 503\. .*"transactions reopen"/,
    );
    assert.match(moved.stdout, /\nNothing could be recorded for \d+\.\d s\.\n$/);
    for (const args of [['accounts'], ['import', '-', '--format', 'csv'], ['migrate'], ['serve']]) {
      const refused = await run(args, options);
      assert.equal(refused.status, 1, args[0]);
      assert.match(
        refused.stderr,
        /can't be used: it was moved to sqlite:\/\S+\/target\.db at .*Z: use that one\. .* run "transactions reopen"/,
      );
    }
    assert.equal((await move()).status, 0);
    assert.equal((await run(['verify'], options)).status, 0);
    const back = await run(['copy', '--from', TARGET, '--to', SOURCE], options);
    assert.equal(back.status, 0, back.stderr);
    assert.equal((await run(['accounts'], options)).status, 0);
    assert.match((await run(['accounts'], onTarget)).stderr, /it was moved to sqlite:\/\S+\/source\.db/);
    const reopened = await run(['reopen'], onTarget);
    assert.equal(reopened.status, 0);
    assert.match(
      reopened.stdout,
      /^The database can be used again\. It was moved to sqlite:\S+source\.db at /,
    );
    assert.equal((await run(['accounts'], onTarget)).status, 0);
  });

  test('leaves nothing to record in the source to a service that runs on: it answers 503', async () => {
    const served = await startServe({
      ...options,
      env: { ...options.env, OPERATOR_PORT: '0', WEBHOOKS: 'off' },
    });
    try {
      const authorization = `Bearer ${await createOperatorKey(options)}`;
      const body = JSON.stringify({
        status: 'pending',
        amount: '1.00',
        currencyCode: 'EUR',
        createdAt: '2026-03-01T00:00:00Z',
      });
      const put = (reference: string) =>
        fetch(`${served.operatorUrl}/v1/accounts/store-1/transactions/${reference}`, {
          method: 'PUT',
          headers: { authorization, 'content-type': 'application/json' },
          body,
        });
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

  test('prints JSON with what was copied and compared', async () => {
    await importCsv(sampleCsv(ROWS), options);
    const { status, stdout } = await copy('--json');
    assert.equal(status, 0);
    const [{ copied, compared, seconds }] = jsonLines(stdout) as [Record<string, Record<string, number>>];
    assert.ok((compared?.['changes'] ?? 0) >= ROWS);
    assert.equal(copied?.['changes'], compared?.['changes']);
    assert.equal(seconds?.['paused'], null);
  });

  test('names what contradicts the source, and ends with 1', async () => {
    await importCsv(sampleCsv(ROWS), options);
    assert.equal((await copy()).status, 0);
    changeTarget(`UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'store-1'`);
    markTarget();
    const { status, stdout, stderr } = await copy();
    assert.match(
      stdout,
      /^account "store-1", head sequence: the source has \d+; the target has \d+\n$/,
      stderr,
    );
    assert.match(stderr, /^The target contradicts the source in 1 place\.\nIf the source was restored /);
    assert.equal(status, 1);
    const json = await copy('--json');
    assert.deepEqual(jsonLines(json.stdout).at(-1), { contradictions: 1 });
  });

  test('refuses a source that is missing, empty, the target, or a part itself', async () => {
    const refused = async (message: RegExp, ...args: string[]) => {
      const { status, stdout, stderr } = await run(['copy', ...args], options);
      assert.match(stderr, message);
      assert.deepEqual([status, stdout], [1, '']);
    };
    await refused(/there is no file \S+\/source\.db/, '--from', SOURCE, '--to', TARGET);
    await importCsv(sampleCsv(10), options);
    await refused(
      /nothing listens there\. Start the server, or correct the address\./,
      ...['--from', SOURCE, '--to', 'postgres://nobody@127.0.0.1:1/none'],
    );
    await refused(/the same database/, '--from', SOURCE, '--to', `sqlite:${folder.path}/source.db`);
    const harness: StoreHarness = await sqliteHarness();
    await harness.open();
    await harness.execute(
      `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, 'copying', 'other', 0)`,
    );
    await refused(/target of a copy of other that has not ended/, '--from', harness.url, '--to', TARGET);
    await harness.dispose();
  });

  test('that was killed is resumed from another folder: what the source has deleted since is deleted', async () => {
    await importCsv(sampleCsv(10), options);
    const webhooks = (...args: string[]) => run(['webhooks', ...args, '--account', 'store-1'], options);
    const created = await webhooks('create', '--url', 'https://shop.example/hook', '--json');
    const { child, exited } = await startFollowing(['--from', SOURCE, '--to', TARGET], options);
    child.kill('SIGKILL');
    await exited;
    assert.equal((await webhooks('delete', JSON.parse(created.stdout).id)).status, 0);
    const cwd = `${folder.path}/data`;
    mkdirSync(cwd);
    const { status, stdout, stderr } = await run(
      ['copy', '--from', 'sqlite:../source.db', '--to', 'sqlite:../target.db'],
      { ...options, cwd },
    );
    assert.equal(status, 0, stdout + stderr);
    const [there, here] = await both();
    assert.deepEqual(here, there);
  });

  test('whose connection is lost says that the same command copies the rest, which it does', async () => {
    await importCsv(sampleCsv(ROWS), options);
    const url = await makePostgresDatabase();
    const args = ['--from', SOURCE, '--to', url, '--keep-source'];
    const { exited, stderr } = await startFollowing(args, options);
    await queryPostgres(
      url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    assert.deepEqual(await exited, [1, null]);
    assert.match(
      withoutProgress(await stderr),
      /^The copy was cut off: .+\.\nRun the command again when both databases can be used: it copies the rest\.\n$/,
    );
    const again = await run(['copy', ...args], options);
    assert.equal(again.status, 0, again.stderr);
  });

  test('refuses a wrong address before anything is opened, with exit status 2', async () => {
    for (const [from, to, message] of [
      ['source.db', TARGET, /--from is not the address of a database/],
      [SOURCE, 'mysql://x', /--to is not the address of a database/],
      [SOURCE, 'sqlite::memory:', /--to is a database in memory/],
    ] as const) {
      const { status, stderr } = await run(['copy', '--from', from, '--to', to], options);
      assert.match(stderr, message);
      assert.equal(status, 2);
    }
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

  test('leaves a mark if it does not end: no command but copy uses the target', async () => {
    await importCsv(sampleCsv(ROWS), options);
    assert.equal((await copy()).status, 0);
    markTarget();
    for (const args of [
      ['serve'],
      ['import', '-', '--format', 'csv'],
      ['keys', 'create', '--operator'],
      ['migrate'],
    ]) {
      const { status, stderr } = await run(args, { ...onTarget, stdin: sampleCsv(1) });
      assert.match(
        stderr,
        /it is the target of a copy of sqlite:\S+source\.db that has not ended\. Run "transactions copy" again/,
        args[0],
      );
      assert.equal(status, 1, args[0]);
    }
    const verified = await run(['verify'], onTarget);
    assert.match(verified.stdout, /^copy: the database: there is a part of sqlite:\S+source\.db, /);
    assert.equal(verified.status, 1);
    assert.equal((await copy()).status, 0);
    assert.equal((await run(['verify'], onTarget)).status, 0);
    assert.equal((await run(['keys', 'create', '--operator'], onTarget)).status, 0);
  });
});

const TARGETS = [
  ['SQLite', async () => TARGET],
  ['PostgreSQL', () => makePostgresDatabase()],
] as const;

for (const [name, makeTarget] of someInTier(TARGETS, 1)) {
  test(`copy --follow to ${name} beside a service: keys, cursors and the feed go on in the target`, async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
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
    const response = await fetch(`${served.url}/v1/transactions`, {
      headers: { authorization: `Bearer ${first}` },
    });
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
      const page = await fetch(`${moved.url}/v1/transactions?cursor=${nextCursor}`, {
        headers: { authorization: `Bearer ${first}` },
      });
      assert.equal(page.status, 200, await page.text());
      assert.ok((await load.check(moved, operatorKey)) >= 150);
    } finally {
      await moved.stop();
    }
  });
}
