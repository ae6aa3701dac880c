import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { freePort } from '../../test/rig/http/loopback.ts';
import { DEBIAN_RELEASE } from '../image.ts';
import { checkGuides, checkRestore } from './guides.ts';
import { checkInterface } from './kit.ts';
import { report, run, until, untilReady } from './programs.ts';

const SETTINGS = 'etc/transactions/transactions.env';
const MODE = 0o777;

/** The machine is a container that shares the host's network. */
async function startMachine(scratch: string) {
  const root = `${scratch}/machine`;
  mkdirSync(root);
  await run('mmdebstrap', [
    ...['--quiet', '--variant=minbase', '--include=systemd,systemd-sysv', DEBIAN_RELEASE],
    root,
  ]);
  const name = `transactions-${process.pid}`;
  const options = [
    '--quiet',
    '--boot',
    '--register=no',
    '--keep-unit',
    `--machine=${name}`,
    '--directory',
    root,
  ];
  const nspawn = spawn('systemd-nspawn', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(nspawn, 'exit');
  const stop = async () => {
    nspawn.kill('SIGTERM');
    await ended;
  };
  const init = await until('the machine starts', async () => {
    const [pid] = (await run('pgrep', ['--parent', String(nspawn.pid)])).trim().split('\n');
    return pid;
  });
  const inMachine = (...command: string[]) =>
    run('nsenter', ['--target', init, '--mount', '--uts', '--ipc', '--pid', '--root', '--wd=/', ...command]);
  await until('systemd runs', async () => {
    const state = await inMachine('systemctl', 'is-system-running').catch(({ stdout }) => String(stdout));
    return /running|degraded|starting/.test(state) ? state : undefined;
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { root, inMachine, stop };
}

export async function checkDebianPackage(file: string, scratch: string): Promise<void> {
  const machine = await startMachine(scratch);
  try {
    await checkOn(machine, file, scratch);
  } finally {
    await machine.stop();
  }
}

type Machine = Awaited<ReturnType<typeof startMachine>>;

async function checkOn(machine: Machine, file: string, scratch: string): Promise<void> {
  const { root, inMachine } = machine;
  const isActive = (unit = 'transactions') =>
    inMachine('systemctl', 'is-active', unit).then(
      () => true,
      () => false,
    );
  const install = async (path: string) => {
    cpSync(path, `${root}/root/transactions.deb`);
    await inMachine('dpkg', '--install', '/root/transactions.deb');
  };
  const startedAtMs = performance.now();
  await install(file);
  assert.equal(await isActive(), false, 'the package started before it was configured');
  assert.equal(statSync(`${root}/${SETTINGS}`).mode & MODE, 0o640);
  assert.equal(statSync(`${root}/var/lib/transactions`).mode & MODE, 0o700);

  const [port, operatorPort] = [await freePort(), await freePort()];
  const settings = readFileSync(`${root}/${SETTINGS}`, 'utf8');
  const others = settings.replace(/^METRICS_PORT=.*$/m, `METRICS_PORT=${await freePort()}`);
  writeFileSync(`${root}/${SETTINGS}`, `${others}PORT=${port}\nOPERATOR_PORT=${operatorPort}\n`);
  // Root runs the first command, which creates the database. The service's user must still own the database.
  const makeKey = async (...options: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse(await inMachine('transactions', 'keys', 'create', '--json', ...options));
  const keyOf = async (...options: string[]) => (await makeKey(...options)).key;
  await inMachine('transactions', 'migrate');
  await inMachine('systemctl', 'enable', '--now', 'transactions');
  const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`];
  await untilReady(url);
  const key = await keyOf('--account', 'store-1');
  const list = await fetch(`${url}/v1/transactions`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(list.status, 200);
  report(
    `from the package to the first response: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`,
  );

  const operatorKey = await keyOf('--operator', '--scopes', 'record,keys');
  const keys = { key, operatorUrl, operatorKey };
  report(
    `the kit: ${await checkInterface(url, { ...keys, secondKey: await keyOf('--account', 'store-2') })}`,
  );
  const { id } = await makeKey('--account', 'store-1');
  const shell = (line: string) => inMachine('sh', '-ec', `cd /root; ${line}`);
  const label = 'Debian package, as root';
  await checkGuides(operatorUrl, { label, keyId: id, shell });
  await checkRestore(operatorUrl, { label, shell });
  await inMachine('systemctl', 'start', 'transactions');
  await untilReady(url);
  const documents = `${root}/usr/share/doc/transactions/docs`;
  assert.match(readFileSync(`${documents}/operating.md`, 'utf8'), /^transactions keys list/m);
  await checkBackups(machine);
  await startOther(machine);
  const exposure = await inMachine('systemd-analyze', 'security', '--no-pager', 'transactions.service');
  report(`systemd-analyze security: ${exposure.trim().split('\n').at(-1)?.replace(/^\W+/, '')}`);

  const newer = await withVersion(file, `${scratch}/newer`, '99.0.0');
  await checkRehearsal(machine, newer);
  for (const [what, path] of Object.entries({ upgrade: newer, downgrade: file })) {
    await install(path);
    await untilReady(url);
    report(`${what} of a running service`);
    const expected = path === newer ? /^99\.0\.0 / : /^(?!99)/;
    assert.match(await inMachine('transactions', '--version'), expected);
  }
  assert.match(readFileSync(`${root}/${SETTINGS}`, 'utf8'), /^PORT=/m, 'an upgrade lost the settings');
  assert.ok(await isActive('transactions@other'));
  await checkAdministrator(machine, { upgrade: () => install(newer), downgrade: () => install(file) });

  await checkRemoval(machine, isActive);
}

async function startOther({ root, inMachine }: Machine): Promise<void> {
  const port = await freePort();
  writeFileSync(
    `${root}/etc/transactions/other.env`,
    `DATABASE_URL=sqlite:/var/lib/transactions/transactions.db\nPORT=${port}\n`,
  );
  await inMachine('systemctl', 'enable', '--now', 'transactions@other');
  await untilReady(`http://127.0.0.1:${port}`);
}

async function checkRehearsal({ root, inMachine }: Machine, newer: string): Promise<void> {
  cpSync(newer, `${root}/root/newer.deb`);
  await inMachine('dpkg-deb', '--extract', '/root/newer.deb', '/root/new');
  const command = '/root/new/usr/bin/transactions';
  assert.match(await inMachine(command, '--version'), /^99\.0\.0 /);
  assert.match(await inMachine(command, 'migrate', '--dry-run'), /is up to date/);
}

const ALERT_FILE = 'var/lib/node_exporter/backup-of-transactions.prom';

async function checkBackups({ root, inMachine }: Machine): Promise<void> {
  await inMachine('systemctl', 'enable', '--now', 'transactions-backup.timer');
  const backUp = () => inMachine('systemctl', 'start', 'transactions-backup');
  for (const count of [1, 2]) {
    await backUp();
    assert.equal(globSync(`${root}/var/backups/transactions/*.backup`).length, count);
  }
  rmSync(`${root}/${ALERT_FILE}`);
  const override = `${root}/etc/systemd/system/transactions-backup.service.d`;
  mkdirSync(override, { recursive: true });
  writeFileSync(`${override}/override.conf`, '[Service]\nExecStart=/bin/false\n');
  await inMachine('systemctl', 'daemon-reload');
  await assert.rejects(backUp());
  assert.ok(
    !existsSync(`${root}/${ALERT_FILE}`),
    'the file of the alert was touched although the copy failed',
  );
  report('two backups on one day; one whose copy fails does not count');
}

async function checkAdministrator(
  { inMachine }: Machine,
  { upgrade, downgrade }: { upgrade: () => Promise<void>; downgrade: () => Promise<void> },
): Promise<void> {
  const settings = `/${SETTINGS}`;
  const [moved, data, backups] = ['/etc/moved.env', '/var/lib/transactions', '/var/backups/transactions'];
  const states = () => inMachine('stat', '--format=%n %U:%G %a', moved, data, backups, '/srv/backups');
  const changes = [
    ...[`mv ${settings} ${moved}`, `ln -s ${moved} ${settings}`, `chmod 660 ${moved}`, `chmod 750 ${data}`],
    ...[`mv ${backups} /srv/backups`, `ln -s /srv/backups ${backups}`, 'chmod 755 /srv/backups'],
  ];
  for (const change of changes) await inMachine('sh', '-ec', change);
  const before = await states();
  await upgrade();
  await inMachine('systemctl', 'restart', 'transactions');
  assert.equal(await states(), before, 'an upgrade changed owners or modes');
  await inMachine('sh', '-ec', `rm ${settings} && mv ${moved} ${settings}`);
  await inMachine('dpkg-statoverride', '--update', '--add', 'root', 'root', '640', settings);
  await upgrade();
  assert.equal((await inMachine('stat', '--format=%G %a', settings)).trim(), 'root 640');
  await inMachine('dpkg-statoverride', '--remove', settings);
  await inMachine('mv', settings, moved);
  await downgrade();
  await inMachine('mv', moved, settings);
  report('upgrades keep owners, modes and links of an administrator, and work without the settings');
}

async function checkRemoval(
  { root, inMachine }: Machine,
  isActive: (unit: string) => Promise<boolean>,
): Promise<void> {
  await inMachine('dpkg', '--remove', 'transactions');
  for (const unit of ['transactions', 'transactions@other', 'transactions-backup.timer'])
    assert.equal(await isActive(unit), false, unit);
  assert.ok(existsSync(`${root}/${SETTINGS}`));
  await inMachine('dpkg', '--purge', 'transactions');
  assert.ok(!existsSync(`${root}/${SETTINGS}`), 'purge left the settings');
  assert.ok(!existsSync(`${root}/usr/lib/transactions`), 'purge left files');
  assert.ok(existsSync(`${root}/var/lib/transactions/transactions.db`), 'purge removed the database');
  report('remove keeps settings and database, purge keeps the database');
}

async function withVersion(file: string, folder: string, version: string): Promise<string> {
  await run('dpkg-deb', ['--raw-extract', file, folder]);
  for (const path of ['DEBIAN/control', 'usr/lib/transactions/package.json']) {
    const text = readFileSync(`${folder}/${path}`, 'utf8');
    writeFileSync(
      `${folder}/${path}`,
      text
        .replace(/^Version: .*$/m, `Version: ${version}`)
        .replace(/"version": "[^"]*"/, `"version": "${version}"`),
    );
  }
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', folder, `${folder}.deb`]);
  return `${folder}.deb`;
}
