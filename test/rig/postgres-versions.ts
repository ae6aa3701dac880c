import { OLDEST_VERSION } from '../../src/store/postgres/driver/connect.ts';
import { debianVersions, type PostgresServer, startPostgres } from './postgres-server.ts';

/** Why the oldest supported version is not tested here, or false where it is. */
export const oldestIsMissing: string | false =
  !debianVersions().includes(OLDEST_VERSION) &&
  `PostgreSQL ${OLDEST_VERSION} is not installed; Debian has it as the package postgresql-${OLDEST_VERSION}`;

/**
 * Starts the oldest supported version as Debian has it, where a server may compile statements (JIT), and counts
 * for each statement what was compiled and read.
 */
export function startOldestPostgres(): Promise<PostgresServer> {
  return startPostgres({
    version: OLDEST_VERSION,
    settings: { shared_preload_libraries: "'pg_stat_statements'" },
  });
}
