import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DATABASE_NOW_MS as POSTGRES_NOW } from '../../src/db/postgres/database-clock.ts';
import { DATABASE_NOW_MS as SQLITE_NOW } from '../../src/db/sqlite/database-clock.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { type Dialect, textsOf } from '../../src/db/statement.ts';
import { numbered } from '../../src/db/statement-text.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } from '../rig/database/postgres.ts';

const FILES = globSync('src/**/*.sql', { exclude: (path) => /migrations/.test(String(path)) });

/** The statements of all files that have a text for a database. */
function textsFor(dialect: Dialect): { name: string; text: string }[] {
  const write = (number: number) => `${dialect === 'sqlite' ? '?' : '$'}${number}`;
  const databaseNowMs = dialect === 'sqlite' ? SQLITE_NOW : POSTGRES_NOW;
  return FILES.flatMap((file) =>
    [...textsOf(pathToFileURL(file))].flatMap(([name, { [dialect]: text }]) =>
      text === undefined
        ? []
        : [{ name: `${file} ${name}`, text: numbered(name, text, { databaseNowMs, write }).text }],
    ),
  );
}

test('each statement of a file names tables and columns of SQLite', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const statements = textsFor('sqlite');
  assert.ok(statements.length > 30, `${statements.length} statements`);
  for (const { name, text } of statements) assert.doesNotThrow(() => db.prepare(text), name);
  assert.throws(() => db.prepare('SELECT labels FROM api_keys'));
  db.close();
});

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS)
  test(`each statement of a file names tables and columns of ${version}`, { skip }, async () => {
    const url = await makePostgresDatabase(await serverUrl());
    await (await openStore(url, () => 0)).store.close();
    for (const { name, text } of [...textsFor('server'), ...textsFor('cluster')])
      await assert.doesNotReject(queryPostgres(url, `PREPARE each AS ${text}`), name);
    await assert.rejects(queryPostgres(url, 'PREPARE each AS SELECT labels FROM api_keys'));
  });
