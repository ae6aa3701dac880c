import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../rig/http/loopback.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, type Served, startRunning } from '../rig/service/process.ts';
import {
  createEndpoint,
  createOperatorKey,
  createWebhookKey,
  readEndpoint,
  recordChanges,
  startWebhookService,
} from '../rig/webhooks/webhook-service.ts';

const GUIDE = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const CLIENT = new URL('../../client/src/index.ts', import.meta.url).href;
const hasPython = spawnSync('python3', ['--version']).status === 0;

const blockOf = (language: string) => GUIDE.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

const RECEIVERS = [
  {
    name: 'Node',
    program: process.execPath,
    file: 'receiver.mts',
    text: blockOf('ts').replace("'transactions-client'", `'${CLIENT}'`),
    skip: false,
  },
  {
    name: 'Python',
    program: 'python3',
    file: 'receiver.py',
    text: blockOf('python'),
    skip: !hasPython && 'python3 is not installed',
  },
];

describe('a receiver of docs/webhooks.md', () => {
  const { path: cwd, remove } = temporaryFolder();
  let served: Served;
  let operatorKey: string;
  const children: ChildProcess[] = [];

  before(async () => {
    operatorKey = await createOperatorKey({ cwd });
    served = await startWebhookService({ cwd });
  });
  after(async () => {
    for (const child of children) child.kill();
    await served.stop();
    remove();
  });

  async function startProgram(receiver: (typeof RECEIVERS)[number], port: number, secret: string) {
    writeFileSync(`${cwd}/${receiver.file}`, receiver.text.replaceAll('8080', String(port)));
    const env = { PATH: process.env['PATH'] ?? '', WEBHOOK_SECRET: secret };
    const child = spawn(receiver.program, [receiver.file], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    const printed = { text: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
    const url = `http://127.0.0.1:${port}/`;
    await until(() =>
      fetch(url).then(
        () => true,
        () => child.exitCode !== null,
      ),
    );
    assert.equal(child.exitCode, null);
    return { child, url, printed };
  }

  for (const receiver of RECEIVERS) {
    test(`accepts deliveries, and nothing else: ${receiver.name}`, { skip: receiver.skip }, async (t) => {
      const account = `store-${receiver.name.toLowerCase()}`;
      const port = await freePort();
      const key = await createWebhookKey(served, operatorKey, account);
      const { id, secret } = await createEndpoint(served, key, `http://127.0.0.1:${port}/`);
      const { child, url, printed } = await startProgram(receiver, port, secret);
      await recordChanges(served, operatorKey, [account], ['r1', 'r2', 'r3']);
      await until(async () => (await readEndpoint(served, key, id)).acknowledgedSequence === 3);
      const tested = await call(`${served.url}/v1/webhooks/${id}/test`, key, { method: 'POST' });
      assert.equal(((await tested.json()) as { delivered: boolean }).delivered, true);

      const body = JSON.stringify({ type: 'transaction.completed', timestamp: '', data: {} });
      const forged = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      };
      const unsigned = { 'content-type': 'application/json' };
      const oddly = { ...forged, 'webhook-timestamp': 'now', 'webhook-signature': 'v1,\u00e9' };
      for (const headers of [forged, unsigned, oddly])
        assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 400);
      const [, listening = ''] = /node transactions\.mjs (webhooks listen .*)/.exec(GUIDE) ?? [];
      const args = listening.replace('8080', String(port)).replace('"$SECRET"', secret).split(' ');
      const env = { TRANSACTIONS_URL: served.url, TRANSACTIONS_API_KEY: key };
      const listener = startRunning(t, args, { cwd, env });
      await listener.prints(`${account}.r3: the receiver answered 204`);
      listener.child.kill('SIGINT');
      await listener.exited;
      child.kill();
      await once(child, 'exit');
      const lines = printed.text.split('\n').filter((line) => /^(chg|msg)_/.test(line));
      assert.equal(lines.length, 7, printed.text);
      for (const reference of ['r1', 'r2', 'r3'])
        assert.ok(lines.some((line) => line.endsWith(` transaction.pending ${account}.${reference}`)));
      assert.match(lines[3] ?? '', /^msg_\w+ webhook\.test /);
    });
  }

  test('a set-up error of the receiver is not an error of the caller: Node', async () => {
    const [receiver] = RECEIVERS as [(typeof RECEIVERS)[number]];
    const unset = spawnSync(process.execPath, [receiver.file], { cwd, env: {}, encoding: 'utf8' });
    assert.equal(unset.status, 1);
    assert.match(unset.stderr, /Set WEBHOOK_SECRET to the secret of the endpoint\./);
    const { url } = await startProgram(receiver, await freePort(), 'whsec_cut off');
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 500);
  });
});
