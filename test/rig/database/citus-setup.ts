import pg from 'pg';
import { GIVE_UP_MS } from '../run/give-up.ts';
import { CITUS_URL, CITUS_WORKERS } from './citus-cluster.ts';

const PLUGINS = 'output_plugin_libraries';

export async function globalSetup(): Promise<void> {
  if (CITUS_URL === undefined || CITUS_WORKERS.length < 2)
    throw new Error(
      'no cluster to test: set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator, and TEST_CITUS_WORKERS to HOST:PORT,HOST:PORT of two workers. USER must be a superuser.',
    );
  const client = new pg.Client({
    connectionString: `${CITUS_URL}/postgres`,
    connectionTimeoutMillis: GIVE_UP_MS,
  });
  await client.connect();
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS server, current_setting('${PLUGINS}', true) AS plugins,
     (SELECT default_version FROM pg_available_extensions WHERE name = 'citus') AS citus`,
  );
  await client.end();
  const { server, plugins, citus } = rows[0];
  if (citus == null) throw new Error('the server of TEST_CITUS_URL has no Citus');
  if (plugins != null && !String(plugins).includes('citus'))
    throw new Error(
      `shards can't be split: run ALTER SYSTEM SET ${PLUGINS} = pgoutput, test_decoding, citus and SELECT pg_reload_conf() on the coordinator and on each worker`,
    );
  process.stdout.write(`Citus ${citus} on PostgreSQL ${server}, ${CITUS_WORKERS.length} workers\n`);
}
