import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createDatabase, createOperatorKey, run, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

test('missing lines of a log are reported, unless the restored database has the changes that they describe', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await createDatabase({ cwd });
  const key = await createOperatorKey({ cwd });
  const [database, backup] = [`${cwd}/data/transactions.db`, `${cwd}/backup.db`];
  const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' } }, t);
  const send = async (method: string, path = '') => {
    const response = await call(`${served.operatorUrl}/v1/accounts/store-1/keys${path}`, key, { method });
    assert.ok(response.ok, String(response.status));
    return method === 'POST' ? ((await response.json()) as { id: string }).id : '';
  };
  const ids = [await send('POST'), await send('POST'), await send('POST')];
  assert.equal((await run(['backup', backup], { cwd })).status, 0);
  for (const id of ids) await send('DELETE', `/${id}`);
  await served.stop();
  for (const file of [`${database}-wal`, `${database}-shm`]) rmSync(file, { force: true });
  copyFileSync(backup, database);
  const lines = served.logged().split('\n');
  const of = (id: string | undefined) =>
    lines.findIndex((line) => line.includes(`"action":"key.revoked","subject":"${id}"`));
  const repeat = (from: number, without: readonly number[]) =>
    run(['audit', 'repeat', '-'], {
      cwd,
      stdin: lines.filter((_, index) => index >= from && !without.includes(index)).join('\n'),
    });
  const [first, second, third] = ids.map(of) as [number, number, number];
  const cut = await repeat(first, [first, second]);
  assert.match(
    cut.stdout,
    /^Repeated: key\.revoked .*\nMissing: au_\w{16} at \S+, numbers 1 to 5 of the log \w{8}\.\n$/,
  );
  assert.match(cut.stderr, /The files lack entries that the log had/);
  assert.equal(cut.status, 1);
  const hole = await repeat(0, [second]);
  assert.match(hole.stdout, /^Missing: au_\w{16} at \S+, number 5 of the log \w{8}\.$/m);
  assert.equal(hole.status, 1);
  const whole = await repeat(first, []);
  assert.deepEqual([whole.status, whole.stdout.includes('Missing')], [0, false], whole.stdout);
  assert.ok(third > second);
});
