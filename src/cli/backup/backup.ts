import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { number } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { StoreRefused } from '../../../values/store-errors.ts';
import { parsePath } from '../../../values/terminal/options.ts';
import { type Progress, printNote, printResult, progress } from '../../../values/terminal/output.ts';
import { createNew } from '../../../values/terminal/output-file.ts';
import { onStopSignal, type StopReason } from '../../../values/terminal/stop-signals.ts';
import { checkOlderCopy } from '../../operate/backup/sqlite/back-up.ts';
import type { Disagreement } from '../../operate/disagreement.ts';
import { verify } from '../../operate/verify/verify.ts';
import type { VerifyReader } from '../../operate/verify-reader.ts';
import {
  addressForPrograms,
  backUpDatabase,
  describeDatabase,
  isEmbedded,
  openVerifyReader,
} from '../../store/open-store.ts';
import { adviceOn, countOf, disagreementLine, progressLine, verifiedLines } from '../verify/verify-report.ts';
import { loadConfig } from '../with-store.ts';

const MAX_PRINTED = 20;

export function backupCommand(program: Command): void {
  program
    .command('backup')
    .description(
      'back up an SQLite database to a new file and verify it, also while the service runs; on PostgreSQL, only print a pg_dump command',
    )
    .argument('<file>', 'the file, which only its owner can read', parsePath)
    .option('--no-verify', 'make the backup without verifying it, for a database that is damaged')
    .action(backUp);
}

async function backUp(name: string, options: { verify: boolean }): Promise<void> {
  const { databaseUrl } = loadConfig();
  if (!isEmbedded(databaseUrl)) return printPostgresBackup(databaseUrl, name);
  refuseNameOfLog(name);
  const file = await createNew(name);
  const shown = progress();
  const onStop = (reason: StopReason) => {
    if (file.isComplete()) return;
    shown.clear();
    file.discard();
    printNote(`Stopped by ${reason}. No backup was made.`);
    process.exit(1);
  };
  onStopSignal(onStop, { again: 'ends the process' });
  try {
    const checked = await copyAndVerify(databaseUrl, file.temporaryPath, options, shown);
    await file.finish();
    await file.keep();
    const { size } = await stat(name);
    printResult(
      `Backed up ${describeDatabase(databaseUrl)} to ${name}: ${number(size)} bytes, readable by its owner alone.`,
      ...checked,
    );
  } catch (error) {
    if (error instanceof StoreRefused) throw new CommandFailed(error.message, 'No backup was made.');
    throw error;
  } finally {
    file.discard();
  }
}

function refuseNameOfLog(name: string): void {
  for (const ending of ['-wal', '-shm', '-journal']) {
    const database = name.slice(0, -ending.length);
    if (name.endsWith(ending) && existsSync(database))
      throw new CommandFailed(`SQLite would use ${name} as a log of ${database}. Give another name.`);
    if (existsSync(`${name}${ending}`))
      throw new CommandFailed(`SQLite would use ${name}${ending} as a log of the backup. Give another name.`);
  }
}

async function copyAndVerify(
  databaseUrl: string,
  copyPath: string,
  options: { verify: boolean },
  shown: Progress,
): Promise<readonly string[]> {
  try {
    const { pending } = await backUpDatabase(databaseUrl, copyPath, (share) =>
      shown.show(`Copied ${Math.floor(share * 100)} %`),
    );
    if (!options.verify) return ['The backup was not verified.'];
    return pending.length === 0
      ? await verifyCopy(copyPath, shown)
      : await verifyOlderCopy(copyPath, pending, shown);
  } finally {
    shown.clear();
  }
}

async function verifyCopy(copyPath: string, shown: Progress): Promise<readonly string[]> {
  const opened = await openVerifyReader(`sqlite://${copyPath}`);
  if (!('reader' in opened)) throw new Error('the copy lacks migrations that its database has');
  const found: Disagreement[] = [];
  try {
    const verified = await verify(interruptible(opened.reader), {
      account: null,
      onDisagreement: async (disagreement) => {
        if (found.length < MAX_PRINTED) found.push(disagreement);
      },
      onProgress: (checked) => shown.show(progressLine(checked)),
      onStorageProgress: (what) => shown.show(what),
    });
    if (verified.disagreements > 0) throw disagreeing(verified.disagreements, found);
    return verifiedLines(verified);
  } finally {
    await opened.reader.close();
  }
}

/** A copy with an older schema gets fewer checks, because `verify` knows only the newest schema. */
async function verifyOlderCopy(
  copyPath: string,
  pending: readonly string[],
  shown: Progress,
): Promise<readonly string[]> {
  const found = await checkOlderCopy(copyPath, (what) => shown.show(what));
  if (found.length > 0) throw disagreeing(found.length, found.slice(0, MAX_PRINTED));
  return [
    `Checked its pages and indexes (PRAGMA integrity_check). "transactions verify" needs the migrations ${pending.join(', ')} first.`,
  ];
}

const disagreeing = (count: number, found: readonly Disagreement[]) =>
  new CommandFailed(
    ...found.map(disagreementLine),
    ...(count > found.length ? [`... and ${number(count - found.length)} more`] : []),
    ...adviceOn(found.map(({ check }) => check)),
    `No backup was made: the copy has ${countOf(count)}, and the database probably has the same. Run "transactions verify".`,
    'To keep a copy of the database as it is, add --no-verify.',
  );

/** SQLite reads synchronously. So this lets the process handle a stop signal between two reads. */
function interruptible(reader: VerifyReader): VerifyReader {
  return new Proxy(reader, {
    get: (target, name: keyof VerifyReader) => {
      const read = target[name].bind(target) as (...values: unknown[]) => Promise<unknown>;
      return async (...values: unknown[]) => {
        await nextTurn();
        return read(...values);
      };
    },
  });
}

const word = (text: string) => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function postgresCommands(databaseUrl: string, file: string) {
  const { address, user } = addressForPrograms(databaseUrl);
  const { address: byAdministrator } = addressForPrograms(databaseUrl, 'ADMINISTRATOR');
  const restored = (of: string) => of.replace(/\/[^/?]+(?=\?|$)/, '/NEW_DATABASE');
  const owner = user === '' ? 'OWNER_OF_THE_TABLES' : user;
  const role = /^[a-z_][a-z0-9_]*$/i.test(owner) ? owner : `"${owner.replaceAll('"', '""')}"`;
  const path = file.startsWith('-') ? `./${file}` : file;
  return {
    // With `--extension=plpgsql`, the dump has no other extensions. The owner could not restore amcheck.
    backup: [
      'umask 077',
      `pg_dump --format=custom --extension=plpgsql --file=${word(path)} --dbname=${word(address)}`,
    ],
    restore: [
      // An administrator creates the database, because often the owner of the tables is not allowed to.
      `createdb --maintenance-db=${word(byAdministrator)} --template=template0 --encoding=UTF8 --owner=${word(owner)} NEW_DATABASE`,
      `pg_restore --exit-on-error --no-owner --dbname=${word(restored(address))} ${word(path)}`,
      // The nightly backup runs `verify`, which needs this extension.
      `psql ${word(restored(byAdministrator))} -c 'CREATE EXTENSION amcheck' -c ${word(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${role}`)}`,
    ],
  };
}

function printPostgresBackup(databaseUrl: string, file: string): void {
  const { backup, restore } = postgresCommands(databaseUrl, file);
  printResult(...backup);
  printNote(
    'PostgreSQL\'s own program makes the backup: run the printed commands, or add "| sh", as the role that owns the tables, with the password in PGPASSWORD or in ~/.pgpass.',
    'To restore it into a new database, run these. ADMINISTRATOR is a superuser, such as postgres:',
    ...restore.map((command) => `  ${command}`),
    'To restore any moment, use pg_basebackup and archived logs instead. On Citus, pg_dump sees no single moment of all machines: archive the logs of each machine, and restore all of them to one citus_create_restore_point.',
  );
}
