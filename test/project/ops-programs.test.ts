import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6 } from '../network/forbidden-addresses.ts';
import { missing, PROGRAM_PATH } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { postgresProxySample, readSample } from '../rig/service/proxies.ts';

const OPS = new URL('../../release/ops/', import.meta.url);

function accepts(program: string, args: readonly string[], home: string) {
  const env = { PATH: PROGRAM_PATH, HOME: home };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: home, env, encoding: 'utf8' });
  return { accepted: status === 0, printed: stdout + stderr };
}

test('HAProxy accepts the sample for PostgreSQL', { skip: missing('haproxy') }, (t) => {
  const { path: folder } = temporaryFolder(t);
  writeFileSync(join(folder, 'haproxy.cfg'), postgresProxySample());
  const { accepted, printed } = accepts('haproxy', ['-c', '-f', 'haproxy.cfg'], folder);
  assert.ok(accepted && !printed.includes('[WARNING]'), printed);
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
    writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
    return accepts('promtool', ['check', 'rules', 'rules.yml'], folder);
  };
  const { accepted, printed } = check([{ name: 'dashboard', rules }]);
  assert.ok(accepted, printed);
  assert.ok(!check([{ name: 'dashboard', rules: [{ record: 'wrong', expr: 'sum(' }] }]).accepted);
});

test('Squid accepts its sample', { skip: missing('squid') }, (t) => {
  const { path: folder } = temporaryFolder(t);
  const configuration = `${readSample('squid.conf')}coredump_dir ${folder}\n`;
  writeFileSync(join(folder, 'squid.conf'), configuration);
  const { accepted, printed } = accepts('squid', ['-k', 'parse', '-f', join(folder, 'squid.conf')], folder);
  assert.ok(accepted, printed);
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
