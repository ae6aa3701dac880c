import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { createKey, importCsv, run, startServe, walkList } from '../rig/service/process.ts';

describe('serve', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const serving = (env: Record<string, string> = {}) => startServe({ cwd: folder.path, env });
  const refusing = (env: Record<string, string> = {}) =>
    run(['serve'], { cwd: folder.path, env: { PORT: '0', ...env } });

  test('a port in use is one error sentence and exit status 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { status, stderr } = await refusing({ PORT: String(port) });
    other.close();
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use\\.`));
  });

  test('creates a database that no other user can read', async () => {
    const served = await serving();
    await served.stop();
    assert.equal(statSync(`${folder.path}/data/transactions.db`).mode & 0o777, 0o600);
    assert.equal(statSync(`${folder.path}/data`).mode & 0o777, 0o700);
  });

  turnTest('refuses a database that another program has locked', async () => {
    await run(['migrate'], { cwd: folder.path });
    const path = `${folder.path}/data/transactions.db`;
    const db = new DatabaseSync(path);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const { status, stderr } = await refusing();
    db.close();
    assert.equal(status, 1);
    assert.match(stderr, /it is locked by another program/);
  });

  turnTest(
    'a status that has transactions but is no longer declared is logged once at the start, and filters accept it',
    async () => {
      const options = { cwd: folder.path, env: { STATUSES: 'refunded:paid,failed:unpaid' } };
      const csv = `account,reference,merchantReference,status,amount,currencyCode,paidAt,createdAt
store-1,store-1.r1,,refunded,1.00,EUR,2026-03-01T00:00:00.000Z,2026-03-01T00:00:00.000Z
store-1,store-1.r2,,failed,1.00,EUR,,2026-03-01T00:00:00.000Z
`;
      await importCsv(csv, options);
      const key = await createKey('store-1', options);
      const declaring = await serving(options.env);
      await declaring.stop();
      assert.doesNotMatch(declaring.logged(), /does not declare/);

      const served = await serving({ STATUSES: 'failed:unpaid' });
      const listed = await walkList(served.url, key, 'status=refunded');
      await served.stop();
      assert.deepEqual(
        listed.map(({ reference }) => reference),
        ['store-1.r1'],
      );
      const warnings = jsonLines(served.logged()).filter(({ msg }) => msg.includes('does not declare'));
      assert.deepEqual(
        warnings.map(({ level, statuses }) => [level, statuses]),
        [[40, ['refunded']]],
      );
    },
  );

  turnTest('an empty file becomes a new database', async () => {
    writeFileSync(`${folder.path}/empty.db`, '');
    const served = await serving({ DATABASE_URL: 'sqlite:empty.db' });
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    await served.stop();
  });
});
