import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { sqliteText } from '../../../src/db/sqlite/sqlite-db.ts';
import { statementsOf, textsOf } from '../../../src/db/statement.ts';

const STATEMENTS = globSync('src/**/*.sql', { exclude: (path) => /migrations/.test(String(path)) })
  .map((path) => pathToFileURL(path))
  .flatMap((file) => [...textsOf(file).keys()].map((name) => statementsOf(file)(name)));

export const SQLITE_STATEMENTS = STATEMENTS.filter(({ texts }) => texts.sqlite !== undefined).map(
  (statement) => ({ name: statement.name, text: sqliteText(statement).text }),
);
