import type { DatabaseSync } from 'node:sqlite';

/** Reads the secret that seals cursors: undefined if the database has none. */
export function cursorSecretReader(db: DatabaseSync): () => string | undefined {
  const read = db.prepare('SELECT secret FROM cursor_secret');
  return () => (read.get() as { secret: string } | undefined)?.secret;
}

export interface CursorSecretWriter {
  /** Stores the proposed secret if the database has none, and returns the stored one. */
  storeCursorSecret(proposed: string, nowMs: number): string;
}

export function cursorSecretWriter(db: DatabaseSync): CursorSecretWriter {
  const readSecret = cursorSecretReader(db);
  const insert = db.prepare('INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, ?, ?)');
  return {
    storeCursorSecret: (proposed, nowMs) => {
      const secret = readSecret();
      if (secret !== undefined) return secret;
      insert.run(proposed, nowMs);
      return proposed;
    },
  };
}
