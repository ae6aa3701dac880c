import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/db/postgres/migrate.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { expectedSchema } from '../../src/operate/postgres/expected-schema.ts';
import { checkSchema } from '../../src/operate/sqlite/check-schema.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { fc } from '../rig/run/properties.ts';

const sqlite = new DatabaseSync(':memory:');
migrate(sqlite, 0, { waitMs: 0 });
const { tables } = expectedSchema(MIGRATIONS);
const CHECKS = [...checkSchema(sqlite).checks].flatMap(([table, checks]) => {
  const { checks: others = [], columns = new Map() } = tables.get(table) ?? {};
  assert.deepEqual(checks.map(({ name }) => name).sort(), others.map(({ name }) => name).sort(), table);
  return checks.map(({ name, condition }) => ({
    ...{ table, name, isOfColumn: columns.has(name), ofSqlite: condition },
    ofPostgres: others.find((other) => other.name === name)?.condition as string,
  }));
});

function textsFor(condition: string): string[] {
  const [, form] = /~\*? '([^']*)'/.exec(condition) ?? [];
  const limits = [...condition.matchAll(/<= (\d+)/g)].map(([, limit]) => Number(limit));
  const right =
    form === undefined
      ? []
      : fc
          .sample(fc.stringMatching(new RegExp(form)), 40)
          // The databases disagree about which characters beyond ASCII are spaces.
          .map((text) => text.replaceAll(/[^!-~ ]/g, 'a'));
  return [
    ...limits.flatMap((limit) => [limit, limit + 1].map((length) => 'a'.repeat(length))),
    ...right.flatMap((text) => [
      text,
      text.slice(1),
      `${text}a`,
      ` ${text}`,
      `${text}\n`,
      `Ä${text.slice(1)}`,
    ]),
    ...right.flatMap((text) => [text.toUpperCase(), text.toLowerCase(), text.replace(/.$/, '-')]),
    ...['*', '', 'ü'.repeat(1025)],
  ];
}

test('a CHECK has the same text in both databases, or refuses the same values', async () => {
  const url = await makePostgresDatabase();
  for (const { table, name, isOfColumn, ofSqlite, ofPostgres } of CHECKS) {
    if (ofSqlite === ofPostgres) continue;
    if (!isOfColumn) {
      assert.match(ofSqlite, /GLOB/, `${table} ${name}`);
      continue;
    }
    const texts = textsFor(ofPostgres);
    const sqlOf = (condition: string) =>
      texts
        .map((text) => `'${text.replaceAll("'", "''")}'`)
        .map(
          (text) =>
            `SELECT CASE WHEN NOT ${condition} THEN 1 ELSE 0 END AS refused FROM (SELECT CAST(${text} AS TEXT) AS ${name}) AS one`,
        )
        .join(' UNION ALL ');
    const refused = (rows: readonly Record<string, unknown>[]) =>
      texts.filter((_, at) => rows[at]?.['refused'] === 1);
    const here = refused(sqlite.prepare(sqlOf(ofSqlite)).all());
    assert.deepEqual(refused(await queryPostgres(url, sqlOf(ofPostgres))), here, `${table} ${name}`);
    assert.ok(here.length > 0 && here.length < texts.length, `${table} ${name}`);
  }
});
