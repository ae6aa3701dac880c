import type { Command } from 'commander';
import { counted } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { StoreRefused, StoreUnavailable } from '../../../values/store-errors.ts';
import { jsonLinesOption, parsePath } from '../../../values/terminal/options.ts';
import { printManyResults } from '../../../values/terminal/output.ts';
import type { Config } from '../../config/settings.ts';
import { checkDatabase } from '../../operate/doctor/check-database.ts';
import { checkInstances } from '../../operate/doctor/check-instances.ts';
import {
  checkBackup,
  checkCertificate,
  checkClock,
  checkDisk,
  type Disk,
} from '../../operate/doctor/check-machine.ts';
import { type Finding, ok, unknown, wrong } from '../../operate/doctor/finding.ts';
import { readOffset } from '../../service/clock-watch.ts';
import { describeFromEverywhere, isEmbedded } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { loadConfig, openUnmigrated } from '../with-store.ts';
import { certificateFiles, diskOfDatabase, diskOfTemporaryFiles, modifiedMs } from './read-machine.ts';

/** The file that the alert TransactionsBackupMissed reads. docs/backup.md names this path. */
const BACKUP_FILE = '/var/lib/node_exporter/backup-of-transactions.prom';

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what the service depends on, say what to do, and change nothing')
    .option('--backup-file <path>', 'the file that the backup job touches', parsePath, BACKUP_FILE)
    .addOption(jsonLinesOption(': one for each check'))
    .action(doctor);
}

async function doctor({ backupFile, json }: { backupFile: string; json?: true }): Promise<void> {
  const config = loadConfig();
  let count = 0;
  for await (const finding of findingsOf(config, backupFile)) {
    if (finding.status === 'wrong') count++;
    await printManyResults(json ? JSON.stringify(finding) : lineOf(finding));
  }
  if (count > 0) throw new CommandFailed(`${counted(count, 'check')} found something wrong.`);
}

const lineOf = ({ check, status, found, todo }: Finding) =>
  `${status}: ${check}: ${found}.${todo === null ? '' : ` To do: ${todo}.`}`;

async function* findingsOf(config: Config, backupFile: string): AsyncGenerator<Finding> {
  const now = Date.now();
  yield* await findingsOfDatabase(config);
  for (const { place, read } of certificateFiles(config.databaseUrl))
    yield orElse(
      () => checkCertificate(place, read(), now),
      (cause) => wrong('certificate', `${place}: ${cause}`, 'correct the file, or its name in DATABASE_URL'),
    );
  yield orElse(
    () => checkBackup(backupFile, modifiedMs(backupFile), now),
    (cause) => unknown('backup', cause, 'let this user see the file, or name another one with --backup-file'),
  );
  if (isEmbedded(config.databaseUrl))
    yield diskOrUnknown(() => diskOfDatabase(config.databaseUrl.replace(/^sqlite:(\/\/)?/, '')));
  yield diskOrUnknown(diskOfTemporaryFiles);
}

const diskOrUnknown = (read: () => Disk) =>
  orElse(
    () => checkDisk(read()),
    (cause) => unknown('disk', cause, 'run this command as the user of the service'),
  );

function orElse(check: () => Finding, otherwise: (cause: string) => Finding): Finding {
  try {
    return check();
  } catch (error) {
    return otherwise((error as Error).message);
  }
}

async function findingsOfDatabase(config: Config): Promise<Finding[]> {
  try {
    const opened = await openUnmigrated(config);
    if (!('store' in opened))
      return [
        wrong(
          'schema',
          opened.isEmpty
            ? `${describeFromEverywhere(config.databaseUrl)} does not exist, or is empty`
            : `it lacks the migrations ${opened.pending.join(', ')}`,
          opened.isEmpty
            ? 'correct DATABASE_URL, or start the service'
            : 'run "transactions migrate" (docs/operating.md, "Upgrading, and back")',
        ),
      ];
    try {
      return await findingsOfStore(config, opened.store);
    } finally {
      await opened.store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreRefused) && !(error instanceof StoreUnavailable)) throw error;
    return [
      wrong(
        'database',
        error.message.replace(/\.$/, ''),
        'correct this first: the checks of the database need it',
      ),
    ];
  }
}

async function findingsOfStore(config: Config, store: Store): Promise<Finding[]> {
  const isFile = isEmbedded(config.databaseUrl);
  const findings = [
    ok('database', `${describeFromEverywhere(config.databaseUrl)} answers, and its schema is up to date`),
    ...checkInstances(await store.listInstances()),
    checkClock(await readOffset({ store, clock: { now: Date.now } }), isFile),
  ];
  if (isFile) return findings;
  const { readDatabase: readServer } = await import('../../operate/doctor/postgres/read-database.ts');
  const { facts, certificateEndsMs } = await readServer(config.databaseUrl, config.databaseReplicaUrls);
  const settings = {
    records: config.operatorPort !== null,
    acceptsAsynchronous: config.asynchronousStandbys === 'accepted',
  };
  findings.push(...checkDatabase(facts, settings));
  if (certificateEndsMs !== null)
    findings.push(checkCertificate('the server', certificateEndsMs, Date.now()));
  return findings;
}
