import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, startServe, walkList } from '../rig/service/process.ts';

const SDK = fileURLToPath(new URL('../rig/service/preloaded-sdk.ts', import.meta.url));

test('serve creates spans if an SDK is preloaded with --import', async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path };
  const key = await createKey('store-1', options);
  const served = await startServe({
    ...options,
    env: { NODE_OPTIONS: `--import=${SDK}`, OPERATOR_PORT: '0' },
  });
  t.after(() => served.child.kill('SIGKILL'));
  let printed = '';
  served.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  await walkList(served.url, key);
  assert.equal((await fetch(`${served.operatorUrl}/v1/accounts`)).status, 401);
  await served.stop();
  const spans = jsonLines(printed);
  const request = spans.find(({ name }) => name === 'GET /v1/transactions');
  assert.equal(request?.attributes['http.response.status_code'], 200);
  const names = spans.map(({ name }) => name);
  for (const name of ['store listTransactions', 'GET /v1/accounts']) assert.ok(names.includes(name), name);
});
