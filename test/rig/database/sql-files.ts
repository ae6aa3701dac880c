import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DATABASE_NOW_MS } from '../../../src/db/sqlite/database-clock.ts';
import { statementsOf, textsOf } from '../../../src/db/statement.ts';
import { numbered } from '../../../src/db/statement-text.ts';

/** Every statement of a file of the source. */
export const STATEMENTS = globSync('src/**/*.sql', { exclude: (path) => /migrations/.test(String(path)) })
  .map((path) => pathToFileURL(path))
  .flatMap((file) => [...textsOf(file).keys()].map((name) => statementsOf(file)(name)));

/** Those of SQLite, as they are sent. */
export const SQLITE_STATEMENTS = STATEMENTS.flatMap(({ name, texts }) => {
  if (texts.sqlite === undefined) return [];
  const write = (number: number) => `?${number}`;
  return [{ name, text: numbered(name, texts.sqlite, { databaseNowMs: DATABASE_NOW_MS, write }).text }];
});
