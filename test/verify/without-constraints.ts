import pg from 'pg';

export async function withoutConstraints(url: string, sql: string, ofTable = '%'): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows: constraints } = await client.query(
      `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conrelid::regclass::text LIKE $1`,
      [ofTable],
    );
    await client.query('BEGIN');
    for (const { table, name } of constraints)
      await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    await client.query(sql);
    for (const { table, name, definition } of constraints)
      await client.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition.replace(/ NOT VALID$/, '')} NOT VALID`,
      );
    await client.query(`UPDATE pg_constraint SET convalidated = true WHERE contype = 'c'`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
