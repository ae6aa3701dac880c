import { startPostgres } from '../rig/database/postgres-server.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

export type StoreName = 'SQLite' | 'PostgreSQL';

/** Runs work on an empty database, which is removed afterwards. */
export async function withDatabase<Result>(
  store: StoreName,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  if (store === 'PostgreSQL') {
    const server = await startPostgres();
    try {
      return await work(`${server.url}/postgres`);
    } finally {
      await server.stop();
    }
  }
  const folder = temporaryFolder();
  try {
    return await work(`sqlite:${folder.path}/long.db`);
  } finally {
    folder.remove();
  }
}
