import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('a stop signal to npm start also stops the service, gracefully', async () => {
  const { path, remove } = temporaryFolder();
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: '0',
      DATABASE_URL: `sqlite:${join(path, 'transactions.db')}`,
    },
  });
  let logged = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    logged += chunk;
  });
  const line = (msg: string) => logged.split('\n').find((one) => one.includes(`"msg":"${msg}"`));
  while (line('listening') === undefined) {
    assert.equal(child.exitCode, null, logged);
    await delay(50);
  }
  const { url, pid } = JSON.parse(line('listening') as string);
  assert.equal((await fetch(`${url}/livez`)).status, 200);

  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  while (line('stopped') === undefined) await delay(50);
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await delay(50);
  await assert.rejects(fetch(`${url}/livez`));
  remove();
});
