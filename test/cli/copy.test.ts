import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sampleCsv } from '../rig/data/csv.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { importCsv, type RunOptions, run, startRunning, withoutProgress } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const ROWS = 3000;
const SOURCE = 'sqlite:source.db';
const TARGET = 'sqlite:target.db';

transcript(import.meta.url);

const optionsIn = (t: TestContext): RunOptions => ({
  cwd: temporaryFolder(t).path,
  env: { DATABASE_URL: SOURCE },
});

test('a copy whose connection is lost says that the same command copies the rest, and the command does', async (t) => {
  const options = optionsIn(t);
  await importCsv(sampleCsv(ROWS), options);
  const url = await makePostgresDatabase();
  const args = ['--from', SOURCE, '--to', url, '--keep-source'];
  const { exited, output, prints } = startRunning(t, ['copy', ...args, '--follow'], options);
  await prints('Nothing behind.');
  await queryPostgres(
    url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  assert.deepEqual(await exited, [1, null]);
  assert.match(
    withoutProgress(output.stderr),
    /^The copy was cut off: .+\.\nRun the command again when both databases can be used: it copies the rest\.\n$/,
  );
  const again = startRunning(t, ['copy', ...args, '--follow'], options);
  await again.prints('Nothing behind.');
  again.child.kill('SIGINT');
  assert.deepEqual(await again.exited, [0, null], again.output.stderr);
  assert.match(again.output.stderr, /^SIGINT: the copy gets the rest and ends\./m);
});

test('a copy never prints the password in an address', async (t) => {
  const options = optionsIn(t);
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
