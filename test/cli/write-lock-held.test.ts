import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createDatabase,
  createKey,
  createOperatorKey,
  run,
  type Served,
  startRunning,
  startServe,
} from '../rig/service/process.ts';

const REQUEST_TIMEOUT_MS = 6000;
const TRANSACTION = {
  status: 'pending',
  amount: '1.00',
  currencyCode: 'EUR',
  createdAt: '2026-03-01T00:00:00Z',
};

describe('while another program holds the write lock of SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let served: Served | undefined;
  beforeEach(() => {
    folder = temporaryFolder();
    served = undefined;
  });
  afterEach(async () => {
    await served?.stop('SIGKILL');
    folder.remove();
  });

  const options = () => ({
    cwd: folder.path,
    env: { OPERATOR_PORT: '0', REQUEST_TIMEOUT: String(REQUEST_TIMEOUT_MS) },
  });
  const holdWriteLock = (): { release(): void } => {
    const db = new DatabaseSync(`${folder.path}/data/transactions.db`);
    db.exec('BEGIN IMMEDIATE');
    return { release: () => db.close() };
  };

  const send = async (
    url: string,
    key: string,
    request: Parameters<typeof call>[2] = {},
  ): Promise<number> => {
    const response = await call(url, key, request);
    await response.arrayBuffer();
    if (response.status === 503) assert.equal(response.headers.get('retry-after'), '1');
    return response.status;
  };

  test('a service starts and answers lists and /livez; each write gets 503 within its time limit, and succeeds afterwards', async () => {
    const key = await createKey('store-1', options());
    const operatorKey = await createOperatorKey(options());
    const earlier = await startServe(options());
    const listed = await call(`${earlier.operatorUrl}/v1/accounts/store-1/keys`, operatorKey);
    const { data } = (await listed.json()) as { data: { id: string }[] };
    await earlier.stop();

    const lock = holdWriteLock();
    served = await startServe(options());
    const { url, operatorUrl } = served;
    const account = `${operatorUrl}/v1/accounts/store-1`;
    const json = TRANSACTION;
    const writes = [
      () => send(`${account}/keys`, operatorKey, { method: 'POST', json: {} }),
      () => send(`${account}/keys/${data[0]?.id}`, operatorKey, { method: 'DELETE' }),
      () => send(`${account}/transactions/tx_1`, operatorKey, { method: 'PUT', json }),
      ...Array.from({ length: 20 }, (_, index) => () => {
        const headers = { 'idempotency-key': `key-${index}` };
        return send(`${account}/transactions`, operatorKey, { method: 'POST', json, headers });
      }),
    ];
    let answered = false;
    const refused = Promise.all(writes.map((write) => write())).finally(() => {
      answered = true;
    });
    let reads = 0;
    while (!answered) {
      assert.equal(await send(`${url}/livez`, key), 200);
      assert.equal(await send(`${url}/v1/transactions`, key), 200);
      if (!answered) reads += 2;
    }
    for (const status of await refused) assert.equal(status, 503);
    assert.ok(reads >= 20, `${reads} reads were answered meanwhile`);

    lock.release();
    const statuses = await Promise.all(writes.slice(0, 4).map((write) => write()));
    const [made, revoked, put, posted] = statuses;
    assert.deepEqual([made, revoked, posted], [201, 204, 201]);
    assert.ok(put === 201 || put === 200, `${put}`);
  });

  test('keys create, keys revoke, and a service that needs a new cursor secret wait, print that they wait, and succeed', async (t) => {
    await createDatabase(options());
    const created = await run(['keys', 'create', '--account', 'store-1', '--json'], options());
    const { id } = JSON.parse(created.stdout);
    const lock = holdWriteLock();
    const begin = (...args: string[]) =>
      startRunning(t, args, { ...options(), env: { ...options().env, PORT: '0' } });
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
      (await run(['keys', 'list'], options())).stdout,
      new RegExp(`${id} +tk_live_\\w{6}\\.\\.\\. +store-1 +read +revoked`),
    );
  });

  test('a service that is stopped while it waits opens no listener', async (t) => {
    await createDatabase(options());
    const lock = holdWriteLock();
    const { child, prints, output, exited } = startRunning(t, ['serve'], {
      ...options(),
      env: { ...options().env, PORT: '0' },
    });
    await prints('"msg":"waiting for the database', 'stderr');
    child.kill('SIGTERM');
    await prints('"msg":"stopping"', 'stderr');
    lock.release();
    assert.deepEqual(await exited, [0, null]);
    assert.doesNotMatch(output.stderr, /"msg":"listening/);
  });
});
