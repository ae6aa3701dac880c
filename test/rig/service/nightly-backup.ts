import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BINARY } from './process.ts';

const PACKAGING = fileURLToPath(new URL('../../../release/packaging/debian', import.meta.url));

export const readPackaging = (name: string) => readFileSync(join(PACKAGING, name), 'utf8');

export const valuesOf = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value as string);

export function runNightlyBackup(
  folder: string,
  { keep = 14, path = process.env['PATH'] ?? '', databaseUrl = 'sqlite:data/transactions.db' } = {},
): SpawnSyncReturns<string> {
  const unit = readPackaging('transactions-backup.service');
  const commands = ['ExecStart', 'ExecStartPost']
    .flatMap((key) => valuesOf(unit, key))
    .map((line) =>
      line
        .replace(/^\+/, '')
        .replace('/usr/lib/transactions', PACKAGING)
        .replace('/var/lib/node_exporter', `${folder}/node_exporter`),
    );
  for (const name of ['backups', 'bin']) mkdirSync(join(folder, name), { recursive: true });
  const program = join(folder, 'bin/transactions');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`);
  chmodSync(program, 0o755);
  return spawnSync('sh', ['-ec', commands.join('\n')], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: [join(folder, 'bin'), path].join(delimiter),
      DATABASE_URL: databaseUrl,
      BACKUP_FOLDER: join(folder, 'backups'),
      BACKUP_KEEP: String(keep),
    },
  });
}

export const nightlyBackups = (folder: string) =>
  readdirSync(join(folder, 'backups'))
    .filter((name) => !name.startsWith('.'))
    .sort();
