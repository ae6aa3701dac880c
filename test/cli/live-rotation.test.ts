import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccountKey, createOperatorKey } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, importCsv, type Served, startServe } from '../rig/service/process.ts';

const ROWS = 400;
const ACCOUNT = 'store-1';
const WALKERS = 4;
const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];

test('no request of a walk fails while cursor secrets and API keys are changed and processes are replaced', async (t) => {
  const folder = temporaryFolder(t);
  const running = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  await importCsv(sampleCsv(ROWS), running);
  const operatorKey = await createOperatorKey(running);
  // Two instances as behind a proxy: each request is sent once, to an instance that accepts connections.
  const instances: Served[] = [];
  t.after(() => Promise.all(instances.map((one) => one.stop())));
  const start = async (cursorSecrets: string): Promise<Served> => {
    const env = { ...running.env, CURSOR_SECRETS: cursorSecrets };
    const served = await startServe({ ...running, env });
    instances.push(served);
    return served;
  };
  /** Starts an instance with other secrets, then stops the oldest. */
  const replaceOldest = async (cursorSecrets: string): Promise<Served> => {
    const served = await start(cursorSecrets);
    assert.deepEqual(await instances.shift()?.stop(), { status: 0, signal: null });
    return served;
  };
  await start(OLD);

  let key = await createAccountKey(await start(OLD), operatorKey, ACCOUNT);
  let isOver = false;
  const inFlight = new Set<{ key: string }>();
  let requests = 0;
  let walks = 0;
  const walker = async () => {
    while (!isOver) {
      const seen: string[] = [];
      for (let query = ''; ; ) {
        const request = { key };
        inFlight.add(request);
        const { url } = instances[randomInt(instances.length)] as Served;
        const answer = await call(`${url}/v1/transactions${query}`, key);
        const page = (await answer.json()) as { data: { reference: string }[]; nextCursor: string | null };
        inFlight.delete(request);
        requests++;
        assert.equal(answer.status, 200, JSON.stringify(page));
        seen.push(...page.data.map(({ reference }) => reference));
        if (page.nextCursor === null) break;
        query = `?cursor=${page.nextCursor}`;
      }
      assert.equal(seen.length, ROWS / 2);
      assert.equal(new Set(seen).size, seen.length);
      walks++;
    }
  };
  const walkers = Promise.all(Array.from({ length: WALKERS }, walker)).finally(() => {
    isOver = true;
  });
  const change = async () => {
    for (const cursorSecrets of [`${OLD},${NEW}`, `${NEW},${OLD}`]) {
      await replaceOldest(cursorSecrets);
      const newest = await replaceOldest(cursorSecrets);
      const before = key;
      key = await createAccountKey(newest, operatorKey, ACCOUNT);
      // The old key is revoked only when its requests in flight are answered.
      while ([...inFlight].some((request) => request.key === before)) await delay(5);
      await revoke(newest, operatorKey, before);
    }
  };
  await Promise.race([change(), walkers]);
  isOver = true;
  await walkers;
  t.diagnostic(`${requests} requests in ${walks} whole walks, none failed`);
  assert.ok(walks > WALKERS);
});

async function revoke({ operatorUrl, url }: Served, operatorKey: string, key: string): Promise<void> {
  const keysUrl = `${operatorUrl}/v1/accounts/${ACCOUNT}/keys`;
  const { data } = (await (await call(keysUrl, operatorKey)).json()) as {
    data: { id: string; state: string }[];
  };
  const oldest = data.find(({ state }) => state === 'active');
  const answer = await call(`${keysUrl}/${oldest?.id}`, operatorKey, { method: 'DELETE' });
  assert.equal(answer.status, 204);
  // The revocation takes at most a second; on this instance, it is immediate.
  for (let tries = 0; ; tries++) {
    const refused = await call(`${url}/v1/transactions`, key);
    if (refused.status === 401) return;
    assert.ok(tries < GIVE_UP_MS / 100, 'the revoked key is still accepted');
    await delay(100);
  }
}
