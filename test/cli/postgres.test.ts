import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import {
  makePostgresDatabase,
  makePostgresRole,
  queryPostgres,
  ROLE_PASSWORD,
} from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, start, startRunning, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const LINES = 20_000;

transcript(import.meta.url, {
  databases: [['PostgreSQL', makePostgresDatabase]],
  given: async (_, databaseUrl) => {
    const { role, url } = await makePostgresRole(databaseUrl);
    const { host, pathname } = new URL(url);
    return { '<role>': role, '<as-role>': url, '<server>': host + pathname };
  },
});

describe('the command line on PostgreSQL', () => {
  let folder: ReturnType<typeof temporaryFolder>;

  before(() => {
    folder = temporaryFolder();
    writeFileSync(`${folder.path}/sample.csv`, sampleCsv(LINES));
  });
  after(() => folder.remove());

  const onDatabase = async () => {
    const url = new URL(await makePostgresDatabase());
    url.password = ROLE_PASSWORD;
    return { url: url.href, options: { cwd: folder.path, env: { DATABASE_URL: url.href } } };
  };
  const rowsIn = async (url: string) =>
    Number((await queryPostgres(url, 'SELECT count(*)::int AS rows FROM transactions'))[0]?.['rows']);

  test('an import that is killed or loses the server during recording has recorded a part, and repeating it completes it', async () => {
    const { url, options } = await onDatabase();
    await run(['migrate'], options);
    const lines = sampleCsv(LINES).trim().split('\n');
    // A locked row prevents the import from finishing before it is interrupted.
    const hold = async (account: string) => {
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      const [, reference] = lines.findLast((line) => line.startsWith(`${account},`))?.split(',') ?? [];
      await holder.query('BEGIN');
      await holder.query(
        `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce)
         VALUES ($1, $2, 'pending', 1, 'EUR', 0, 1000000, 0, 1)`,
        [account, reference],
      );
      return holder;
    };
    const endings: [account: string, end: (child: ChildProcess) => unknown][] = [
      ['store-1', (child) => child.kill('SIGKILL')],
      [
        'store-2',
        () =>
          queryPostgres(
            url,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'transactions'`,
          ),
      ],
    ];
    const sessions = () =>
      queryPostgres(
        url,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'transactions'`,
      );
    for (const [account, end] of endings) {
      // The server commits the last batch of a killed import after the kill.
      await until(async () => (await sessions()).length === 0);
      const before = await rowsIn(url);
      const holder = await hold(account);
      const child = start(['import', 'sample.csv'], options);
      const output = Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'exit')]);
      await until(async () => child.exitCode !== null || (await rowsIn(url)) > before);
      await end(child);
      const [stderr, [status]] = await output;
      await holder.end();
      const rows = await rowsIn(url);
      assert.ok(rows > before && rows < LINES, `${rows} rows after ${before}`);
      if (status === null) continue;
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^The import ended early: the database can't answer: .+\. At least [\d,]+ of [\d,]+ transactions are recorded, up to .+ of account ".+"\. Import the file again to record the rest\.$/m,
      );
    }
    const rows = await rowsIn(url);
    const { stdout } = await run(['import', 'sample.csv'], options);
    const count = (value: number) => value.toLocaleString('en');
    assert.match(stdout, new RegExp(`${count(LINES - rows)} new, 0 changed, ${count(rows)} unchanged`));
    assert.equal(await rowsIn(url), LINES);
  });

  test('keys revoke waits while another session locks the keys, prints that it waits, and succeeds', async (t) => {
    const { url, options } = await onDatabase();
    await createDatabase(options);
    const created = await run(['keys', 'create', '--account', 'store-1', '--json'], options);
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE api_keys IN SHARE MODE');
    const revoke = ['keys', 'revoke', JSON.parse(created.stdout).id];
    const { exited, prints, output } = startRunning(t, revoke, options);
    await prints('Waiting for the database', 'stderr');
    await other.query('COMMIT');
    await other.end();
    assert.deepEqual(await exited, [0, null], output.stderr);
  });

  test('a role serves once migrate has granted it the rights', async () => {
    const { url, options } = await onDatabase();
    const { role, url: asRole } = await makePostgresRole(url);
    await run(['migrate', '--grant-to', role], options);
    const served = await startServe({ ...options, env: { DATABASE_URL: asRole } });
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    await served.stop();
  });
});
