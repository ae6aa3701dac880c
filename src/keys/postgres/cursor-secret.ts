import { type Connections, statement } from '../../db/postgres/driver/index.ts';

const READ = statement('SELECT secret FROM cursor_secret');
const INSERT = statement(
  'INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, $1, $2) ON CONFLICT DO NOTHING',
);

/** Stores the proposed secret if the database has none, and returns the stored one. */
export async function storeCursorSecret(
  connections: Connections,
  proposed: string,
  nowMs: number,
): Promise<string> {
  const read = async () => (await connections.query<[string]>(READ, []))[0]?.[0];
  const stored = await read();
  if (stored !== undefined) return stored;
  await connections.query(INSERT, [proposed, nowMs]);
  return (await read()) as string;
}
