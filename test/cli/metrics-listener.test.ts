import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildInfo } from '../../src/service/build-info.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { freePort } from '../rig/http/loopback.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createKey, run, type Served, startServe } from '../rig/service/process.ts';

describe("METRICS_PORT, without the operator's interface", { timeout: GIVE_UP_MS }, () => {
  const { path: cwd, remove } = temporaryFolder();
  let served: Served;
  let url: string;
  let key: string;
  before(async () => {
    await run(['migrate'], { cwd });
    key = await createKey('store-1', { cwd });
    served = await startServe({ cwd, env: { METRICS_PORT: '0' }, args: ['--workers', '2'] });
    url = jsonLines(served.logged()).find(({ msg }) => msg === 'listening for monitoring').url;
  });
  after(async () => {
    await served.stop();
    remove();
  });

  test('serves the metrics of all processes', async () => {
    assert.equal((await call(`${served.url}/v1/transactions`, key)).status, 200);
    const response = await fetch(`${url}/metrics`);
    assert.equal(response.status, 200);
    assert.match(
      await response.text(),
      /^transactions_http_request_duration_seconds_count\{listener="public",method="GET",route="\/v1\/transactions",status="200"\} 1$/m,
    );
  });

  test('serves the health checks, and nothing else', async () => {
    const get = async (path: string) => (await fetch(`${url}${path}`)).status;
    assert.deepEqual(await (await fetch(`${url}/readyz`)).json(), { status: 'ok', ...buildInfo() });
    assert.equal(await get('/livez'), 200);
    for (const path of ['/', '/v1/transactions', '/v1/accounts', '/docs', '/openapi.json'])
      assert.equal(await get(path), 404, path);
    assert.equal((await fetch(`${served.url}/metrics`)).status, 404);
  });

  test('a port in use ends the start with the name of the setting', async () => {
    const env = { PORT: String(await freePort()), METRICS_PORT: new URL(url).port };
    const { status, stderr } = await run(['serve'], { cwd, env });
    assert.equal(status, 1);
    assert.match(stderr, /set METRICS_PORT to another port/);
  });
});
