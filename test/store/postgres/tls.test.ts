import assert from 'node:assert/strict';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { queryPostgres, ROLE_PASSWORD } from '../../rig/database/postgres.ts';
import { serverUser } from '../../rig/database/postgres-programs.ts';
import { type PostgresServer, startPostgres } from '../../rig/database/postgres-server.ts';
import { createAuthority } from '../../rig/http/certificate.ts';
import { runProgram } from '../../rig/service/process.ts';

const ROLE = 'owner_with_password';

describe('PostgreSQL over TLS, with a password from a file', () => {
  let server: PostgresServer;
  let host: string;
  let authority: string;
  let foreign: string;
  let passwords: string;

  before(async () => {
    server = await startPostgres();
    const file = (name: string, text: string) => {
      const path = join(server.folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      const user = serverUser();
      if (user !== undefined && !name.endsWith('.ca') && name !== 'pgpass')
        chownSync(path, user.uid, user.gid);
      return path;
    };
    const issuer = createAuthority();
    const { cert, key } = issuer.issue('localhost');
    authority = file('own.ca', issuer.cert);
    foreign = file('foreign.ca', createAuthority().cert);
    host = `localhost:${server.port}`;
    passwords = file('pgpass', `localhost:${server.port}:*:${ROLE}:${ROLE_PASSWORD}\n`);
    await queryPostgres(`${server.url}/postgres`, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE_PASSWORD}'`);
    await queryPostgres(`${server.url}/postgres`, `CREATE DATABASE served OWNER ${ROLE}`);
    for (const [name, value] of Object.entries({
      ssl_cert_file: file('server.crt', cert),
      ssl_key_file: file('server.key', key),
      ssl: 'on',
    }))
      await queryPostgres(`${server.url}/postgres`, `ALTER SYSTEM SET ${name} = '${value}'`);
    file('data/pg_hba.conf', `hostssl all ${ROLE} all scram-sha-256\nhost all postgres all trust\n`);
    await queryPostgres(`${server.url}/postgres`, 'SELECT pg_reload_conf()');
    while ((await migrate('verify-full', authority)).stderr.includes('does not support SSL'));
  });
  after(() => server.stop());

  const migrate = (sslmode: string, ca: string, from = host) =>
    runProgram(['migrate'], {
      cwd: server.folder,
      env: {
        DATABASE_URL: `postgres://${ROLE}@${from}/served?sslmode=${sslmode}&sslrootcert=${ca}`,
        PGPASSFILE: passwords,
      },
    });

  test('verify-full accepts a certificate of the given authority, without a deprecation warning', async () => {
    for (const sslmode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
      const { status, stderr } = await migrate(sslmode, authority);
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stderr, /warning|deprecat/i);
    }
  });

  test('every mode refuses a certificate of another authority, and one of another name', async () => {
    for (const sslmode of ['verify-full', 'verify-ca', 'require', 'prefer']) {
      const { status, stderr } = await migrate(sslmode, foreign);
      assert.equal(status, 1);
      assert.match(stderr, /no known authority signed the certificate .* Write &sslrootcert=/, sslmode);
    }
    const missing = await migrate('verify-full', `${server.folder}/missing.crt`);
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /ENOENT.* Correct sslrootcert, sslcert or sslkey\./);
    const { status, stderr } = await migrate('verify-full', authority, `127.0.0.1:${server.port}`);
    assert.equal(status, 1);
    assert.match(stderr, /IP: 127\.0\.0\.1 is not in the cert's list/);
  });
});
