import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { verifyWebhook } from '../../client/src/index.ts';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6 } from '../network/forbidden-addresses.ts';
import { createAuthority } from '../rig/http/certificate.ts';
import { freePort } from '../rig/http/loopback.ts';
import { GIVE_UP_MS, until } from '../rig/run/give-up.ts';
import { missing, PROGRAM_PATH } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createOperatorKey, run } from '../rig/service/process.ts';
import { readSample, replaced } from '../rig/service/proxies.ts';
import { startReceiver } from '../rig/webhooks/receiver.ts';
import {
  createEndpoint,
  createWebhookKey,
  recordChanges,
  startWebhookService,
} from '../rig/webhooks/webhook-service.ts';

const CHANGES = 20;

/** Squid's host names: a receiver, and an address of this machine that the sample does not allow. */
const HOSTS = '127.0.0.1 receiver.test\n127.0.0.2 inside.test\n';
/** The password `pass:word%`, as `openssl passwd -apr1` hashes it. */
const PASSWORDS = 'transactions:$apr1$testsalt$CHLUus4DJ8T.SvikiAyU8.\n';

/** Runs Squid with the sample of `release/ops`, and allows one more address. Returns its port. */
async function startSquid(t: TestContext, folder: string): Promise<number> {
  const port = await freePort();
  const configuration = replaced(readSample('squid.conf'), [
    ['http_port 3128', `http_port 127.0.0.1:${port}`],
    ['/etc/squid/passwords', `${folder}/passwords`],
    [
      'http_access deny special\n',
      'acl receiver dst 127.0.0.1\nhttp_access allow CONNECT receiver\nhttp_access deny special\n',
    ],
  ]);
  const own = `hosts_file ${folder}/hosts\npid_filename none\ncoredump_dir ${folder}\nshutdown_lifetime 0 seconds\n`;
  for (const [name, text] of [
    ['hosts', HOSTS],
    ['passwords', PASSWORDS],
    ['squid.conf', configuration + own],
  ] as const)
    writeFileSync(join(folder, name), text);
  // Squid that root starts runs as another user, which must be able to read the passwords.
  chmodSync(folder, 0o755);
  const env = { PATH: PROGRAM_PATH };
  const squid = spawn('squid', ['-N', '-f', join(folder, 'squid.conf')], {
    cwd: folder,
    env,
    stdio: 'ignore',
  });
  const ended = once(squid, 'exit');
  t.after(async () => {
    squid.kill('SIGKILL');
    await ended;
  });
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  for (const deadline = performance.now() + GIVE_UP_MS; !(await isListening()); await delay(20))
    assert.ok(performance.now() < deadline && squid.exitCode === null, 'Squid does not listen');
  return port;
}

test('through the sample of Squid, deliveries arrive, and its refusals are explained; the password appears nowhere', {
  skip: missing('squid'),
}, async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const { path: folder } = temporaryFolder(t);
  const port = await startSquid(t, folder);
  const authority = createAuthority();
  writeFileSync(join(cwd, 'ca.pem'), authority.cert);
  const receiver = await startReceiver(undefined, { certificate: authority.issue('receiver.test') });
  t.after(() => receiver.close());
  const proxy = (password: string) => `http://transactions:${password}@127.0.0.1:${port}`;
  const env = {
    WEBHOOK_PROXY: proxy('pass%3Aword%25'),
    WEBHOOK_NETWORKS: '192.0.2.0/24',
    WEBHOOK_HTTP: 'false',
    NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'),
  };
  const operatorKey = await createOperatorKey({ cwd });
  const served = await startWebhookService({ cwd, env }, t);
  const key = await createWebhookKey(served, operatorKey, 'store-1');
  const { secret } = await createEndpoint(served, key, `https://receiver.test:${receiver.port}/hook`);
  const references = Array.from({ length: CHANGES }, (_, index) => `r-${index}`);
  await recordChanges(served, operatorKey, ['store-1'], references);
  await until(() => receiver.received.length >= CHANGES);
  const delivered = receiver.received.map(({ body, headers }) => verifyWebhook(body, headers, secret).data);
  assert.deepEqual(
    delivered.map((data) => (data as { sequence: number }).sequence).sort((a, b) => a - b),
    references.map((_, index) => index + 1),
  );

  const { id } = await createEndpoint(served, key, `https://inside.test:${receiver.port}/hook`);
  const authorization = `Bearer ${key}`;
  const tested = await fetch(`${served.url}/v1/webhooks/${id}/test`, {
    method: 'POST',
    headers: { authorization },
  });
  const { error } = (await tested.json()) as { error: string };
  assert.equal(error, 'the proxy of the service answered 403: it does not allow this host');
  const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
  const doctor = await run(['doctor'], { cwd, env });
  await served.stop();
  assert.match(served.logged(), /webhooks go through WEBHOOK_PROXY/);
  for (const text of [served.logged(), metrics, doctor.stdout + doctor.stderr])
    assert.doesNotMatch(text, /pass%3A|pass:word|hunter2|Proxy-Authorization/i);
});

test('the sample of Squid refuses each address to which the service does not connect itself', () => {
  const networks = [...readSample('squid.conf').matchAll(/^acl special dst (.+)$/gm)].flatMap(
    ([, line = '']) => line.split(' ').map((network) => ipaddr.parseCIDR(network)),
  );
  const isRefused = (text: string) => {
    const address = ipaddr.parse(text);
    return networks.some((network) => address.kind() === network[0].kind() && address.match(network));
  };
  assert.deepEqual(
    [...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6].filter((address) => !isRefused(address)),
    ['4000::1'],
  );
  assert.deepEqual(['8.8.8.8', '93.184.215.14', '2001:4860:4860::8888'].filter(isRefused), []);
});
