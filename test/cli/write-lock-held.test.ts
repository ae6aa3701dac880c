import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, startRunning } from '../rig/service/process.ts';

async function prepare(t: TestContext) {
  const { path: cwd } = temporaryFolder(t);
  const options = { cwd, env: { PORT: '0' } };
  await createDatabase(options);
  const holdWriteLock = (): { release(): void } => {
    const db = new DatabaseSync(`${cwd}/data/transactions.db`);
    db.exec('BEGIN IMMEDIATE');
    return { release: () => db.close() };
  };
  const begin = (...args: string[]) => startRunning(t, args, options);
  return { options, holdWriteLock, begin };
}

test('while another program holds the write lock, keys create, keys revoke, and a service that needs a new cursor secret wait, print that they wait, and succeed', async (t) => {
  const { options, holdWriteLock, begin } = await prepare(t);
  const created = await run(['keys', 'create', '--account', 'store-1', '--json'], options);
  const { id } = JSON.parse(created.stdout);
  const lock = holdWriteLock();
  const [create, revoke] = [begin('keys', 'create', '--account', 'store-1'), begin('keys', 'revoke', id)];
  const serve = begin('serve');
  const commands = [create, revoke, serve];
  for (const { prints } of [create, revoke])
    await prints('Waiting for the database for up to 60 s', 'stderr');
  await serve.prints('"msg":"waiting for the database', 'stderr');
  for (const { child } of commands) assert.equal(child.exitCode, null);
  lock.release();
  await serve.prints('"msg":"listening"', 'stderr');
  serve.child.kill('SIGTERM');
  for (const { exited } of commands) assert.deepEqual(await exited, [0, null]);
  assert.match(
    (await run(['keys', 'list'], options)).stdout,
    new RegExp(`${id} +tk_live_\\w{6}\\.\\.\\. +store-1 +read +revoked`),
  );
});

test('a service that is stopped while it waits for the write lock opens no listener', async (t) => {
  const { holdWriteLock, begin } = await prepare(t);
  const lock = holdWriteLock();
  const { child, prints, output, exited } = begin('serve');
  await prints('"msg":"waiting for the database', 'stderr');
  child.kill('SIGTERM');
  await prints('"msg":"stopping"', 'stderr');
  lock.release();
  assert.deepEqual(await exited, [0, null]);
  assert.doesNotMatch(output.stderr, /"msg":"listening/);
});
