import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { parseEnv } from 'node:util';
import packageJson from '#package' with { type: 'json' };
import { templateUnit } from '../../release/debian-package.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { freePort } from '../rig/http/loopback.ts';
import { missing } from '../rig/run/installed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { nightlyBackups, readPackaging, runNightlyBackup, valuesOf } from '../rig/service/nightly-backup.ts';
import { importCsv, run } from '../rig/service/process.ts';

const FLAGS = packageJson.scripts.start.split(' ').slice(1, -2).join(' ');
const UNIT = readPackaging('transactions.service');
const UNITS: Readonly<Record<string, string>> = {
  'transactions.service': UNIT,
  'transactions@.service': templateUnit(UNIT),
  'transactions-backup.service': readPackaging('transactions-backup.service'),
  'transactions-backup.timer': readPackaging('transactions-backup.timer'),
};

function folderOf(t: TestContext): string {
  const { path } = temporaryFolder(t);
  return path;
}

test('systemd accepts the units', { skip: missing('systemd-analyze', 'systemd') }, (t) => {
  const folder = folderOf(t);
  const verify = (units: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(units))
      writeFileSync(
        join(folder, name),
        text.replace(
          /\/usr\/(?:bin|lib)\/(?:transactions|transactions\/nightly-backup)(?=\s)/,
          process.execPath,
        ),
      );
    const paths = Object.keys(units).map((name) => join(folder, name.replace('@.', '@serving.')));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
      encoding: 'utf8',
    });
    return { status, own: stderr.split('\n').filter((line) => line.includes('transactions')) };
  };
  assert.deepEqual(verify(UNITS), { status: 0, own: [] });
  const wrong = { 'transactions.service': UNIT.replace('LimitCORE', 'LimitCores') };
  assert.match(verify(wrong).own.join(), /Unknown key( name)? 'LimitCores'/);
});

test('the unit of the service starts the command of the package, which passes Node the same options as npm start', () => {
  assert.deepEqual(valuesOf(UNIT, 'ExecStart'), ['/usr/bin/transactions serve']);
  const command = readFileSync(new URL('../../release/packaging/transactions', import.meta.url), 'utf8');
  assert.ok(command.includes(` ${FLAGS} `));
  const environment = parseEnv(readPackaging('transactions.env'));
  const config = readConfig({}, environment as Record<string, string>);
  assert.deepEqual('faults' in config ? config.faults : [], []);
});

test('the unit restarts a service whose database is not up yet, but not one with wrong settings', async (t) => {
  const cwd = folderOf(t);
  const statusOf = async (env: Record<string, string>) => (await run(['serve'], { cwd, env })).status;
  const without = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const [prevented] = valuesOf(UNIT, 'RestartPreventExitStatus');
  assert.equal(String(await statusOf({ PORT: 'wrong' })), prevented);
  assert.notEqual(String(await statusOf({ DATABASE_URL: without, PORT: '0' })), prevented);
  assert.deepEqual(valuesOf(UNIT, 'Restart'), ['always']);
  assert.deepEqual(valuesOf(UNIT, 'StartLimitIntervalSec'), ['0']);
  assert.deepEqual(valuesOf(UNIT, 'LimitCORE'), ['0']);
});

test('the nightly backup keeps the newest files, even of one day, and writes the file that the alert reads', async (t) => {
  // systemd does not run a script without `#!/bin/sh`, although a shell does.
  assert.ok(readPackaging('nightly-backup').startsWith('#!/bin/sh\n'));
  const folder = folderOf(t);
  const options = { cwd: folder };
  await importCsv(sampleCsv(20), options);
  const made: string[] = [];
  for (let night = 0; night < 3; night++) {
    if (night === 2)
      writeFileSync(join(folder, 'backups/2026-01-01T000000.000Z.backup.incomplete-12345678'), '');
    const { status, stdout, stderr } = runNightlyBackup(folder, { keep: 2 });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, / 20 transactions, .*: no disagreement\.\n/);
    made.push(nightlyBackups(folder).at(-1) as string);
    assert.ok(stdout.includes(`${made.at(-1)}: `), stdout);
  }
  assert.equal(new Set(made).size, 3);
  assert.deepEqual(nightlyBackups(folder), made.slice(1));
  const alert = 'node_exporter/backup-of-transactions.prom';
  const { stdout } = await run(['doctor', '--backup-file', alert], options);
  assert.match(stdout, /^ok: backup: the last one was made 0 hours ago/m);
});

test('a failed nightly backup keeps the earlier ones, leaves no file of its own, and does not change the file that the alert reads', async (t) => {
  const folder = folderOf(t);
  await importCsv(sampleCsv(20), { cwd: folder });
  assert.equal(runNightlyBackup(folder).status, 0);
  const before = nightlyBackups(folder);
  const db = new DatabaseSync(join(folder, 'data/transactions.db'));
  db.exec('UPDATE daily_totals SET count = count + 1');
  db.close();
  const failed = { keep: 1, path: process.env['PATH'] };
  for (const options of [failed, { keep: 0 }, { databaseUrl: 'postgres://nobody@127.0.0.1:1/none' }]) {
    spawnSync('rm', ['-r', join(folder, 'node_exporter')]);
    assert.notEqual(runNightlyBackup(folder, options).status, 0);
    assert.deepEqual(nightlyBackups(folder), before);
    assert.ok(!existsSync(join(folder, 'node_exporter')));
  }
});
