import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { MIGRATIONS, migrate } from '../../src/db/postgres/migrate.ts';
import { expectedSchema } from '../../src/operate/postgres/expected-schema.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } from '../rig/database/postgres.ts';
import { verifyDatabase } from './healthy-database.ts';

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`the schema that the texts of the migrations describe, on ${version}`, { skip }, () => {
    test('is the one that they make: tables, columns, constraints, indexes and policies', async () => {
      const url = await makePostgresDatabase(await serverUrl());
      const client = new pg.Client(url);
      await client.connect();
      await migrate(client, 0);
      await client.end();
      const names = async (sql: string) =>
        (await queryPostgres(url, sql)).map(({ name }) => name as string).sort();
      const own = `relnamespace = 'public'::regnamespace AND relname <> 'schema_migrations'`;
      const { tables, indexes } = expectedSchema(MIGRATIONS);
      const ofTables = (list: (table: string) => Iterable<string>) =>
        [...tables.keys()].flatMap((table) => [...list(table)]).sort();

      assert.deepEqual(
        ofTables((table) =>
          [...(tables.get(table)?.columns ?? [])].map(([column, type]) => `${table} ${column} ${type}`),
        ),
        await names(`SELECT relname || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS name
          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE ${own} AND relkind = 'r' AND attnum > 0`),
      );
      assert.deepEqual(
        ofTables((table) => [...(tables.get(table)?.constraints ?? [])].map((name) => `${table} ${name}`)),
        await names(
          `SELECT relname || ' ' || conname AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE ${own} AND contype <> 'n'`,
        ),
      );
      assert.deepEqual(
        ofTables((table) => [...(tables.get(table)?.policies ?? [])].map((name) => `${table} ${name}`)),
        await names(
          `SELECT relname || ' ' || polname AS name FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid WHERE ${own}`,
        ),
      );
      assert.deepEqual(
        ofTables((table) => (tables.get(table)?.hasRowLevelSecurity ? [table] : [])),
        await names(`SELECT relname AS name FROM pg_class WHERE ${own} AND relrowsecurity`),
      );
      assert.deepEqual(
        [...indexes.keys()].sort(),
        await names(
          `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'i' AND relname <> 'schema_migrations_pkey'`,
        ),
      );
      assert.deepEqual((await verifyDatabase(url)).lines, []);
      await queryPostgres(
        `${await serverUrl()}/postgres`,
        `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`,
      );
    });
  });
}
