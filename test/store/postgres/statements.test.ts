import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { declaredStatements } from '../../rig/database/declared-statements.ts';

// These load the store.
const { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } = await import(
  '../../rig/database/postgres.ts'
);
const { postgresStatements, STATEMENTS_FILE, TITLES } = await import(
  '../../rig/database/postgres-statements.ts'
);
const { openStore } = await import('../../../src/store/open-store.ts');

const stored = readFileSync(new URL(`../../../${STATEMENTS_FILE}`, import.meta.url), 'utf8');

/** Statements without a call of the store on one server. */
const NOT_OF_A_CALL = [
  /set_config\('statement_timeout'/, // of background work
  /set_config\(name, value/, // behind a pooler
  /pg_is_in_recovery/, // to replicas
  /pg_dist_shard/, // to Citus
];

test('docs has every statement of the store on PostgreSQL as it is sent', async () => {
  assert.equal(stored, await postgresStatements(() => makePostgresDatabase()), 'run "npm run statements"');
  assert.deepEqual(
    [...declaredStatements].filter(
      (text) => !stored.includes(text) && !NOT_OF_A_CALL.some((one) => one.test(text)),
    ),
    [],
  );
});

/** Each half of the file begins with empty tables. */
const EMPTY = `DO $$ BEGIN EXECUTE (
  SELECT 'TRUNCATE ' || string_agg(relname, ', ') FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'schema_migrations'
); END $$;\n`;

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  test(`the statements run as they are written, on ${version}`, { skip }, async () => {
    const url = await makePostgresDatabase(await serverUrl());
    await (await openStore(url, () => 0)).store.close();
    await queryPostgres(
      url,
      stored.replace(TITLES.cluster, () => EMPTY),
    );
  });
}
