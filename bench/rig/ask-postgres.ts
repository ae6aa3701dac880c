import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function askPostgresOnce(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
