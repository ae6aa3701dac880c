import { DatabaseSync } from 'node:sqlite';
import { queryPostgres } from './postgres.ts';

export async function queryDatabase(url: string, sql: string): Promise<Record<string, unknown>[]> {
  if (!url.startsWith('sqlite:')) return queryPostgres(url, sql);
  using db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 });
  return db.prepare(sql).all();
}
