import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { wholeNumber } from '../../values/terminal/options.ts';
import type { Config } from '../config/settings.ts';
import type { ReplicaChange } from '../db/connection-use.ts';
import { createLogger } from '../service/logger.ts';
import { describeFromEverywhere, isEmbedded, type OpenedStore } from '../store/open-store.ts';
import { loadConfig, withNewStore } from './with-store.ts';

const MAX_WORKERS = 64;
/** With more workers than this, a database on the same machine is the bottleneck. */
const MAX_DEFAULT_WORKERS = 4;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve HTTP until a stop signal')
    .option(
      '--workers <number>',
      'number of processes that answer requests on the same port (default: 1 on SQLite; on PostgreSQL, the number of processors minus one, from 1 to 4)',
      wholeNumber(1, MAX_WORKERS),
    )
    .action(async ({ workers }: { workers?: number }) => {
      try {
        await serve(workers);
      } catch (error) {
        // A worker that fails to start must exit, but its connection to the first process keeps it alive.
        cluster.worker?.disconnect();
        throw error;
      }
    });
}

async function serve(workers: number | undefined): Promise<void> {
  const warnings: string[] = [];
  const config = loadConfig({ warn: (warning) => warnings.push(warning) });
  const { runService, runWorker } = await import('../service/run-service.ts');
  const { staffSignIn } = await import('../service/staff-sign-in.ts');
  const staff = staffSignIn(config);
  const { fileOfFirstProcess } = await import('../service/workers.ts');
  const count = workers ?? defaultWorkers(config);
  const logger = createLogger(config.logLevel, { isShared: count > 1 || cluster.isWorker });
  const work = async ({ store, migrated, isNew, file, server }: OpenedStore) => {
    if (cluster.isWorker) return runWorker(config, store, logger);
    for (const warning of warnings) logger.warn(warning);
    // Logged as a warning, because a new database can mean that the previous one was lost.
    if (isNew)
      logger.warn({ database: describeFromEverywhere(config.databaseUrl) }, 'created a new database');
    for (const name of migrated) logger.info({ migration: name }, 'applied a migration');
    await runService(config, store, logger, { workers: count, file, server, staff });
  };
  await withNewStore(config, work, {
    records: config.operatorPort !== null && cluster.isPrimary,
    onReplicaChange: (change) => logReplica(logger, change),
    // A restarted worker must not create or serve a database that the first process does not use.
    mustBeMigrated: cluster.isWorker,
    mustBeFile: fileOfFirstProcess(),
    onFileChange: (moved) => {
      if (cluster.isPrimary) logFile(logger, moved);
    },
  });
}

function logReplica(logger: Logger, { replica, unused }: ReplicaChange): void {
  if (unused === undefined) logger.info({ replica }, 'lists are read from this replica');
  else logger.warn({ replica, reason: unused }, 'no list is read from this replica');
}

function logFile(logger: Logger, moved: Error | undefined): void {
  if (moved !== undefined)
    logger.error({ reason: moved.message }, 'requests are refused: the database file was moved');
  else logger.warn('the database file is back: requests are answered again');
  logger.flush();
}

function defaultWorkers({ databaseUrl }: Config): number {
  if (isEmbedded(databaseUrl)) return 1;
  return Math.min(MAX_DEFAULT_WORKERS, Math.max(1, availableParallelism() - 1));
}
