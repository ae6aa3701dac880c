import { type Connections, statement } from '../../db/postgres/driver/index.ts';
import type { CursorSecretStore } from '../api-key-store.ts';

const READ = statement('SELECT secret FROM cursor_secret');
const INSERT = statement(
  'INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, $1, $2) ON CONFLICT DO NOTHING',
);

export function cursorSecretStore(connections: Connections, now: () => number): CursorSecretStore {
  const read = async () => (await connections.query<[string]>(READ, []))[0]?.[0];
  return {
    storeCursorSecret: async (proposed) => {
      const stored = await read();
      if (stored !== undefined) return stored;
      await connections.query(INSERT, [proposed, now()]);
      return (await read()) as string;
    },
  };
}
