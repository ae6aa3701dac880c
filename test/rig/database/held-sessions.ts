import { afterEach } from 'node:test';
import pg from 'pg';

export function heldSessions(url: () => string): (sql: string) => Promise<pg.Client> {
  const holding = new Set<pg.Client>();
  afterEach(async () => {
    for (const client of holding) await client.end();
    holding.clear();
  });
  return async (sql) => {
    const client = new pg.Client({ connectionString: url() });
    await client.connect();
    holding.add(client);
    await client.query('BEGIN');
    await client.query(sql);
    return client;
  };
}
