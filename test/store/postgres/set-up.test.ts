import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { queryPostgres } from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { run, startServe } from '../../rig/service/process.ts';

const guide = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8').replaceAll(
  /^ {3}/gm,
  '',
);

function commandsWith(text: string) {
  const blocks = [...guide.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const lines =
    blocks
      .find((block) => block.includes(text))
      ?.trim()
      .split('\n') ?? [];
  return lines.map((line) => {
    const [, settings = '', , args] =
      /^((?:[A-Z_]+=\S+ )*)(npx --no-install transactions |npm start$)(.*)$/.exec(line) ?? [];
    const env = Object.fromEntries(
      [...settings.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    );
    return { line, env, args: args?.split(' ').filter((word) => word !== '') ?? [] };
  });
}

test('the commands of the guide set up an empty server until the service answers, with one role and with two', async (t) => {
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(guide) ?? [];
  const [onServer = '', onDatabase = ''] = block.split('\\connect transactions\n');
  const server = await startPostgres();
  t.after(() => server.stop());
  for (const sql of onServer.trim().split('\n')) await queryPostgres(`${server.url}/postgres`, sql);
  await queryPostgres(`${server.url}/transactions`, onDatabase);
  const cwd = tmpdir();
  const env = { DATABASE_URL: `postgres://transactions:PASSWORD@127.0.0.1:${server.port}/transactions` };
  const [migrate, createKey, start] = commandsWith('keys create');
  for (const command of [migrate, createKey, start]) assert.equal(command?.env['DATABASE_URL'], '"$NEW"');
  assert.equal((await run(migrate?.args ?? [], { cwd, env })).status, 0);
  const { stdout } = await run(createKey?.args ?? [], { cwd, env });
  const headers = { authorization: `Bearer ${/tk_live_\w+/.exec(stdout)?.[0]}` };
  assert.equal(start?.line, 'DATABASE_URL="$NEW" npm start');
  const served = await startServe({ cwd, env });
  assert.equal((await fetch(`${served.url}/v1/transactions`, { headers })).status, 200);
  await served.stop();
  const verified = await run(['verify', '--require-indexes'], { cwd, env });
  assert.deepEqual([verified.status, verified.stderr], [0, ''], verified.stdout);
  const [createRole, grant, serving] = commandsWith('--grant-to');
  assert.equal(createRole?.line, 'createuser --pwprompt transactions_serving');
  await queryPostgres(`${server.url}/postgres`, "CREATE ROLE transactions_serving LOGIN PASSWORD 'PASSWORD'");
  const [owning] = commandsWith('PORT=3003');
  const here = (url = '') =>
    url.slice(1, -1).replace('db.example', `127.0.0.1:${server.port}`).replace('verify-full', 'disable');
  assert.equal(
    (await run(grant?.args ?? [], { cwd, env: { DATABASE_URL: here(grant?.env['DATABASE_URL']) } })).status,
    0,
  );
  const reader = await startServe({ cwd, env: { DATABASE_URL: here(serving?.env['DATABASE_URL']) } }, t);
  assert.equal((await fetch(`${reader.url}/v1/transactions`, { headers })).status, 200);
  assert.deepEqual(Object.keys(owning?.env ?? {}), ['PORT', 'OPERATOR_PORT', 'DATABASE_URL']);
  const owner = await startServe({
    cwd,
    env: { OPERATOR_PORT: '0', DATABASE_URL: here(owning?.env['DATABASE_URL']) },
  });
  t.after(() => owner.stop());
  assert.equal((await fetch(`${owner.operatorUrl}/readyz`)).status, 200);
});
