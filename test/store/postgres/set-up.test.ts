import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { run } from '../../rig/service/process.ts';

const guide = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8');

test('the statements of the guide make a database that its owner migrates and verifies with its indexes', async (t) => {
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? [];
  const [onServer = '', onDatabase = ''] = block.split('\\connect transactions\n');
  const server = await startPostgres();
  t.after(() => server.stop());
  for (const sql of onServer.trim().split('\n')) await queryPostgres(`${server.url}/postgres`, sql);
  await queryPostgres(`${server.url}/transactions`, onDatabase);
  const cwd = tmpdir();
  const env = { DATABASE_URL: `postgres://transactions:PASSWORD@127.0.0.1:${server.port}/transactions` };
  assert.equal((await run(['migrate'], { cwd, env })).status, 0);
  const verified = await run(['verify', '--require-indexes'], { cwd, env });
  assert.deepEqual([verified.status, verified.stderr], [0, ''], verified.stdout);
});
