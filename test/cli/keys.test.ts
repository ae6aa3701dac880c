import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLines } from '../rig/data/json-lines.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run, runProgram, startServe } from '../rig/service/process.ts';
import { transcript } from '../rig/transcript/transcript.ts';

transcript(import.meta.url);

/** A program that ends when a thread is started. */
const WITHOUT_THREADS = [
  '--import',
  'data:text/javascript,import threads from "node:worker_threads"; import { syncBuiltinESMExports } from "node:module"; threads.Worker = class { constructor() { process.exit(99); } }; syncBuiltinESMExports();',
];

test('create, roll and revoke start no thread, which takes longer than what they write', async (t) => {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  await createDatabase({ cwd });
  const alone = async (...args: string[]) => {
    const { status, stdout, stderr } = await runProgram(['keys', ...args], {
      cwd,
      nodeOptions: WITHOUT_THREADS,
    });
    assert.equal(status, 0, `${args[0]}: ${stderr}`);
    return stdout;
  };
  const { id } = JSON.parse(await alone('create', '--account', 'store-1', '--json'));
  await alone('roll', id);
  await alone('revoke', id);
  const states = jsonLines((await run(['keys', 'list', '--json'], { cwd })).stdout).map(({ state }) => state);
  assert.deepEqual(states.sort(), ['active', 'revoked']);
});

// The simulation tests that this takes at most a second: a busy machine does not stretch its time.
test('a revoked key is soon refused by a running service', { timeout: GIVE_UP_MS }, async (t) => {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  await createDatabase({ cwd });
  const served = await startServe({ cwd });
  t.after(() => served.stop());
  const made = await run(['keys', 'create', '--account', 'store-1', '--json'], { cwd });
  const { id, key } = JSON.parse(made.stdout);
  const headers = { authorization: `Bearer ${key}` };
  const statusNow = async () => (await fetch(`${served.url}/v1/transactions`, { headers })).status;
  assert.equal(await statusNow(), 200);
  assert.equal((await run(['keys', 'revoke', id], { cwd })).status, 0);
  while ((await statusNow()) !== 401) await delay(50);
});
