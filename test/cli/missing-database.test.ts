import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Outcome, run } from '../rig/service/process.ts';

const ENDPOINT = 'we_0123456789abcdef';
const STORE = ['--account', 'store-1'];
/** Every command that uses a database and creates none. */
const COMMANDS = [
  ['keys', 'create', ...STORE],
  ['keys', 'list'],
  ['keys', 'roll', 'key_0123456789abcdef'],
  ['keys', 'revoke', 'key_0123456789abcdef'],
  ['accounts'],
  ['show', 'r1', '--account', 'store-1'],
  ['webhooks', 'create', ...STORE, '--url', 'https://example.com/'],
  ['webhooks', 'list', ...STORE],
  ['webhooks', 'delete', ...STORE, ENDPOINT],
  ['verify'],
];

describe('a command that creates no database fails', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  test('where the file is missing or empty, and says where it looked and how to set DATABASE_URL', async () => {
    for (const content of [undefined, '']) {
      if (content !== undefined) writeFileSync(`${folder.path}/empty.db`, content);
      const env = content === undefined ? {} : { DATABASE_URL: 'sqlite:empty.db' };
      for (const args of [...COMMANDS, ['backup', 'backup.db']]) {
        const { status, stdout, stderr } = await run(args, { cwd: folder.path, env });
        assert.deepEqual([status, stdout], [1, ''], args.join(' '));
        if (content === undefined)
          assert.ok(stderr.includes(`${folder.path}/data/transactions.db. Set`), stderr);
        else assert.match(stderr, /empty/);
        if (content === undefined) assert.match(stderr, /Set DATABASE_URL to the database of the service/);
      }
    }
    assert.equal(existsSync(`${folder.path}/data`), false);
  });

  test('where a PostgreSQL database has no schema, and makes none', async () => {
    const DATABASE_URL = await makePostgresDatabase();
    const onEmpty = (...args: string[]): Promise<Outcome> =>
      run(args, { cwd: folder.path, env: { DATABASE_URL } });
    for (const args of [['keys', 'create', ...STORE], ['accounts'], ['verify']]) {
      const { status, stderr } = await onEmpty(...args);
      assert.equal(status, 1, stderr);
      assert.match(stderr, /empty/);
    }
    assert.match((await onEmpty('migrate')).stdout, /^Applied migration 1 /);
  });

  test('where a database exists, a command that changes it names it on standard error', async () => {
    const options = { cwd: folder.path, env: { DATABASE_URL: 'sqlite:named.db' } };
    const named = `Database: sqlite:${folder.path}/named.db\n`;
    const csv =
      'account,reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\nstore-1,r1,,pending,1.00,EUR,,2026-06-15T12:00:00Z\n';
    for (const args of [
      ['migrate'],
      ['import', '-', '--format', 'csv'],
      ['keys', 'create', ...STORE, '--json'],
      ['keys', 'revoke', 'key_0123456789abcdef'],
      ['webhooks', 'create', ...STORE, '--url', 'https://example.com/'],
    ]) {
      const { stdout, stderr } = await run(args, { ...options, stdin: csv });
      assert.ok(stderr.includes(named), `${args.join(' ')}: ${stderr}`);
      assert.ok(!stdout.includes(named));
    }
  });
});
