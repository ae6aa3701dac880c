import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { createAuthority } from '../rig/http/certificate.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Outcome, run } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

const statusOf = ({ stdout }: Outcome, check: string) =>
  jsonLines(stdout).find((finding) => finding['check'] === check)?.['status'];

transcript(import.meta.url);

test('on PostgreSQL, finds missing rights of a role, and expired certificates even if the server cannot be reached', async (t) => {
  const folder = temporaryFolder(t);
  const url = await makePostgresDatabase();
  const { role, url: asRole } = await makePostgresRole(url);
  const doctor = (DATABASE_URL: string) =>
    run(['doctor', '--json'], { cwd: folder.path, env: { DATABASE_URL } });
  assert.equal(statusOf(await doctor(url), 'schema'), 'wrong');
  await run(['migrate', '--grant-to', role], { cwd: folder.path, env: { DATABASE_URL: url } });

  const asServing = await doctor(asRole);
  for (const check of ['database', 'role', 'clock', 'pooler', 'encryption'])
    assert.equal(statusOf(asServing, check), 'ok', asServing.stdout);
  await queryPostgres(url, `REVOKE INSERT ON instances FROM ${role}`);
  const lacking = await doctor(asRole);
  assert.equal(statusOf(lacking, 'role'), 'wrong');
  assert.match(lacking.stdout, /lacks INSERT on instances/);

  const authority = createAuthority();
  writeFileSync(`${folder.path}/ca.crt`, authority.cert);
  writeFileSync(`${folder.path}/client.crt`, authority.issue('client', 'expired').cert);
  const away = await doctor(
    'postgres://nobody@127.0.0.1:1/none?sslrootcert=ca.crt&sslcert=client.crt&sslmode=verify-full',
  );
  assert.equal(away.status, 1);
  assert.equal(statusOf(away, 'database'), 'wrong');
  assert.deepEqual(
    jsonLines(away.stdout)
      .filter(({ check }) => check === 'certificate')
      .map(({ status }) => status),
    ['warning', 'wrong'],
  );
});
