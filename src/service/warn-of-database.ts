import type { Logger } from 'pino';
import type { Config } from '../config/settings.ts';
import { commitsWaitForStandby, type DatabaseFacts } from '../db/postgres/database-facts.ts';

type WarnSettings = Pick<Config, 'asynchronousStandbys' | 'operatorPort'>;

export function warnOfDatabase(
  { isEncrypted, isLocal, isPlainTextMeant, plainTextReplicas, missingTimeouts, durability }: DatabaseFacts,
  { asynchronousStandbys, operatorPort }: WarnSettings,
  logger: Pick<Logger, 'warn'>,
): void {
  if (!isEncrypted && !isLocal && !isPlainTextMeant)
    logger.warn('the connection to the database is not encrypted: set sslmode in DATABASE_URL');
  if (plainTextReplicas.length > 0)
    logger.warn(
      { hosts: plainTextReplicas },
      'the connection to a replica is not encrypted: set sslmode in DATABASE_REPLICA_URLS',
    );
  if (missingTimeouts.length > 0)
    logger.warn(
      { settings: missingTimeouts },
      'a pooler drops session settings, and these timeouts are off for the role',
    );
  if (operatorPort === null) return;
  if (durability === null) {
    logger.warn('could not read whether commits wait for a standby: the role lacks a right');
    return;
  }
  const { isFsyncOn, hasStandbys, synchronousStandbyNames, commitLevel } = durability;
  if (!isFsyncOn) logger.warn('fsync of the database server is off: acknowledged writes can be lost');
  if (hasStandbys && asynchronousStandbys === 'warn' && !commitsWaitForStandby(durability))
    logger.warn(
      { synchronousStandbyNames, commitLevel },
      'commits do not wait for a standby: a failover loses the last acknowledged writes',
    );
}
