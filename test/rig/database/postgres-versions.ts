import { OLDEST_VERSION } from '../../../src/db/postgres/driver/connect.ts';
import { debianVersions } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

export const oldestIsMissing: string | false =
  !debianVersions().includes(OLDEST_VERSION) &&
  `PostgreSQL ${OLDEST_VERSION} is not installed; Debian has it as the package postgresql-${OLDEST_VERSION}`;

export function startOldestPostgres(): Promise<PostgresServer> {
  return startPostgres({
    version: OLDEST_VERSION,
    settings: { shared_preload_libraries: "'pg_stat_statements'" },
  });
}
