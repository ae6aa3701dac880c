import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { atEnd } from '../rig/run/at-end.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createOperatorKey, startServe } from '../rig/service/process.ts';

const GUIDE = readFileSync(new URL('../../docs/people.md', import.meta.url), 'utf8');
const [, BLOCK = ''] = /```js\n([\s\S]*?)```/.exec(GUIDE) ?? [];
const PROGRAM = BLOCK.replaceAll(/^ {3}/gm, '');

test('the platform of the guide opens the page for a person once, and ends the sessions of the person', async (t) => {
  assert.ok(PROGRAM.trimEnd().split('\n').length <= 60);
  const folder = temporaryFolder(t);
  const publicUrl = 'http://127.0.0.1:3000/';
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0', PUBLIC_URL: publicUrl } };
  const key = await createOperatorKey(options, 'sessions');
  const served = await startServe(options);
  t.after(() => served.child.kill());
  const path = `${folder.path}/platform.mjs`;
  writeFileSync(path, PROGRAM);
  const env = {
    ...process.env,
    PORT: '0',
    TRANSACTIONS_OPERATOR_URL: served.operatorUrl,
    TRANSACTIONS_OPERATOR_KEY: key,
  };
  const platform = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (platform.exitCode === null && platform.kill()) await once(platform, 'exit');
  };
  atEnd(stop);
  t.after(stop);
  const [printed] = await once(platform.stdout.setEncoding('utf8'), 'data');
  const shop = String(printed).trim();
  assert.match(await (await fetch(shop)).text(), /<button>Payments<\/button>/);

  const post = (at: string) => fetch(`${shop}/${at}`, { method: 'POST', redirect: 'manual' });
  const { status, headers } = await post('payments');
  const [address = '', code = ''] = headers.get('location')?.split('#session=') ?? [];
  assert.deepEqual([status, address], [303, publicUrl]);
  const exchange = () =>
    fetch(`${served.url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  const opened = await exchange();
  assert.equal(opened.status, 201);
  const session = (await opened.json()) as { key: string };
  assert.equal((await exchange()).status, 401);
  const looks = async () => (await call(`${served.url}/v1/transactions`, session.key)).status;
  assert.equal(await looks(), 200);
  assert.equal((await post('sign-out')).status, 303);
  while ((await looks()) === 200);
  assert.equal(await looks(), 401);
});
