import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createAuthority } from '../rig/http/certificate.ts';
import { freePort } from '../rig/http/loopback.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { missing, PROGRAM_PATH } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { configurePostgresProxy, PROXIES } from '../rig/service/proxies.ts';

const OPS = new URL('../../release/ops/', import.meta.url);

/** Runs a program to its end. Returns the output, and whether the program accepts its configuration. */
function accepts(program: string, args: readonly string[], home: string) {
  const env = { PATH: PROGRAM_PATH, HOME: home };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: home, env, encoding: 'utf8' });
  return { accepted: status === 0, printed: stdout + stderr };
}

for (const [program, { check }] of Object.entries(PROXIES)) {
  test(`${program} accepts its sample`, { skip: missing(program) }, (t) => {
    const { path: folder } = temporaryFolder(t);
    const { cert, key } = createAuthority().issue('localhost');
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
    mkdirSync(join(folder, 'logs'));
    const args = check({
      folder,
      port: 3443,
      plainPort: 3442,
      operatorPort: 3444,
      upstream: '127.0.0.1:3000',
      operatorUpstream: '127.0.0.1:3001',
    });
    const { accepted, printed } = accepts(program, args, folder);
    assert.ok(accepted, printed);
    assert.doesNotMatch(printed, /\[(warn|WARNING)\]/);
  });
}

/** A server that answers each connection with its name. A second port shows if it is the primary. */
async function fakeServer(t: TestContext, name: string) {
  let isPrimary = false;
  const server = createServer((socket) => socket.on('error', () => {}).write(name)).listen(0, '127.0.0.1');
  const patroni = createHttpServer((request, response) => {
    response.statusCode = request.url === '/primary' && isPrimary ? 200 : 503;
    response.end();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(patroni, 'listening')]);
  t.after(() => {
    server.close();
    patroni.closeAllConnections();
    patroni.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    checkPort: (patroni.address() as AddressInfo).port,
    setPrimary: (value: boolean) => {
      isPrimary = value;
    },
  };
}

test('HAProxy in front of PostgreSQL connects to the primary, and ends the sessions of the old one', {
  skip: missing('haproxy'),
}, async (t) => {
  const { path: folder } = temporaryFolder(t);
  const servers = [await fakeServer(t, 'a'), await fakeServer(t, 'b')] as const;
  const port = await freePort();
  const args = configurePostgresProxy(folder, port, servers);
  const { accepted, printed } = accepts('haproxy', ['-c', ...args], folder);
  assert.ok(accepted && !printed.includes('[WARNING]'), printed);
  servers[0].setPrimary(true);
  const proxy = spawn('haproxy', args, { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
  const exited = once(proxy, 'exit');
  t.after(async () => {
    proxy.kill('SIGKILL');
    await exited;
  });
  /** Resolves with a session that reaches the server `name`. */
  const sessionWith = async (name: string) => {
    for (const deadline = performance.now() + GIVE_UP_MS; ; await delay(20)) {
      assert.ok(performance.now() < deadline && proxy.exitCode === null, `no session with ${name}`);
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const ended = new Promise((resolve) => socket.once('close', resolve));
      const first = await Promise.race([new Promise((resolve) => socket.once('data', resolve)), ended]);
      if (String(first) === name) return { socket, ended };
      socket.destroy();
    }
  };
  const old = await sessionWith('a');
  servers[0].setPrimary(false);
  servers[1].setPrimary(true);
  await old.ended;
  const { socket } = await sessionWith('b');
  socket.destroy();
});

const dashboard = JSON.parse(readFileSync(new URL('dashboard.json', OPS), 'utf8'));

test('Prometheus parses each query of release/ops/dashboard.json', {
  skip: missing('promtool', 'prometheus'),
}, (t) => {
  const { path: folder } = temporaryFolder(t);
  const rules = dashboard.panels.flatMap(({ id, targets }: { id: number; targets: { expr: string }[] }) =>
    targets.map(({ expr }, index) => ({ record: `panel_${id}:query_${index}`, expr })),
  );
  const check = (groups: object[]) => {
    // promtool reads JSON, because JSON is YAML.
    writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
    return accepts('promtool', ['check', 'rules', 'rules.yml'], folder);
  };
  const { accepted, printed } = check([{ name: 'dashboard', rules }]);
  assert.ok(accepted, printed);
  assert.ok(!check([{ name: 'dashboard', rules: [{ record: 'wrong', expr: 'sum(' }] }]).accepted);
});
