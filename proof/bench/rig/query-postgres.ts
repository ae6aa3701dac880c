import pg from 'pg';

/** Runs one statement on a new connection, and returns the first value of its first row, if any. */
export async function queryPostgresOnce(databaseUrl: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
