import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { freePort } from '../../test/rig/http/loopback.ts';
import { checkGuides } from './guides.ts';
import { checkInterface } from './kit.ts';
import { report, run, untilReady } from './programs.ts';

const USER = 1000;

interface Configuration {
  root: { readonly: boolean };
  process: { terminal: boolean; env: string[]; user: { uid: number }; noNewPrivileges: boolean };
  mounts: { destination: string; type: string; source: string; options: string[] }[];
  linux: { namespaces: { type: string }[] };
}

export async function checkImage(file: string, version: string, scratch: string): Promise<void> {
  const layout = `${scratch}/layout`;
  mkdirSync(layout);
  await run('tar', ['-xf', file, '-C', layout]);
  const startedAtMs = performance.now();
  const bundle = `${scratch}/bundle`;
  await run('umoci', ['unpack', '--image', `${layout}:${version}`, bundle]);
  const volume = `${scratch}/volume`;
  mkdirSync(volume, { mode: 0o700 });
  // Container engines give a new volume the owner and mode of the folder in the image.
  const { uid, gid } = statSync(`${bundle}/rootfs/var/lib/transactions`);
  chownSync(volume, uid, gid);
  const [port, operatorPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const ports = [`PORT=${port}`, `OPERATOR_PORT=${operatorPort}`, `METRICS_PORT=${metricsPort}`];
  configure(bundle, volume, [...ports, 'HOST=127.0.0.1']);
  const newer = `${scratch}/newer-bundle`;
  await run('cp', ['-a', bundle, newer]);

  const log = `${scratch}/log`;
  const started: ChildProcess[] = [];
  const start = (folder: string, name: string) => {
    const child = spawn('runc', ['--root', `${scratch}/runc`, 'run', '--bundle', folder, name], {
      stdio: ['ignore', 'ignore', openSync(log, 'a')],
    });
    started.push(child);
    return {
      ended: once(child, 'exit'),
      stop: () => run('runc', ['--root', `${scratch}/runc`, 'kill', name, 'TERM']),
    };
  };
  try {
    const container = `transactions-${process.pid}-1`;
    const first = start(bundle, container);
    const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`];
    await untilReady(url);
    const exec = `runc --root ${scratch}/runc exec`;
    const shell = (line: string) =>
      run('sh', [
        '-ec',
        line.replace(/^docker exec (.*?)transactions (?=transactions )/, `${exec} $1${container} `),
      ]);
    const makeKey = async (options: string): Promise<{ id: string; key: string }> =>
      JSON.parse(await shell(`docker exec transactions transactions keys create --json ${options}`));
    const keyOf = async (options: string) => (await makeKey(options)).key;
    const key = await keyOf('--account store-1');
    const list = await fetch(`${url}/v1/transactions`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(list.status, 200);
    report(
      `from the image to the first response: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
    );
    const operatorKey = await keyOf('--operator --scopes record,keys');
    const keys = { key, operatorUrl, operatorKey };
    report(`the kit: ${await checkInterface(url, { ...keys, secondKey: await keyOf('--account store-2') })}`);
    const { id } = await makeKey('--account store-1');
    await checkGuides(operatorUrl, { label: 'Container', keyId: id, shell });

    await first.stop();
    assert.deepEqual(await first.ended, [0, null], 'SIGTERM did not end the container with status 0');
    const second = start(newer, `transactions-${process.pid}-2`);
    await untilReady(url);
    report('another container with its volume');
    await second.stop();
    assert.deepEqual(await second.ended, [0, null]);
  } catch (error) {
    report(readFileSync(log, 'utf8'));
    throw error;
  } finally {
    for (const child of started) child.kill('SIGKILL');
  }
}

function configure(bundle: string, volume: string, env: readonly string[]): void {
  const path = `${bundle}/config.json`;
  const configuration = JSON.parse(readFileSync(path, 'utf8')) as Configuration;
  assert.equal(configuration.process.user.uid, USER, 'the image runs as another user');
  const options = ['rbind', 'rw', 'nosuid', 'nodev'];
  configuration.root.readonly = true;
  configuration.process.terminal = false;
  configuration.process.noNewPrivileges = true;
  configuration.process.env.push(...env);
  configuration.mounts.push({ destination: '/var/lib/transactions', type: 'bind', source: volume, options });
  configuration.mounts.push({
    destination: '/tmp',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev'],
  });
  configuration.linux.namespaces = configuration.linux.namespaces.filter(({ type }) => type !== 'network');
  writeFileSync(path, JSON.stringify(configuration));
}
