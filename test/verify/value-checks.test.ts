import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MIGRATIONS } from '../../src/db/postgres/migrate.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { expectedSchema } from '../../src/operate/postgres/expected-schema.ts';
import { checkSchema } from '../../src/operate/sqlite/check-schema.ts';
import type { ValueCheck } from '../../src/operate/value-checks.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';

const A16 = 'aB3'.padEnd(16, 'x');
const HEX = 'b0'.repeat(32);
const TEXTS = [
  ...'| |*|.|-|a|A|a b| a|a |a  b|a\n|ä|a_1|1a|_|EUR|EURO|EuR|{}'.split('|'),
  ...[32, 33, 64, 65, 100, 101, 128, 129, 200, 201, 255, 256].map((length) => 'a'.repeat(length)),
  ...[
    'ü'.repeat(100),
    'ü'.repeat(255),
    HEX,
    HEX.toUpperCase(),
    `${HEX}0`,
    'A'.repeat(43),
    `${'A'.repeat(42)}+`,
  ],
  ...['key_', 'ses_', 'exp_', 'we_', 'au_', 'KEY_', 'key-'].flatMap((start) =>
    [A16, `${A16}y`, 'a', 'x y'.padEnd(16)].map((end) => start + end),
  ),
  ...['tk_live_', 'tk_operator_', 'ts_live_', 'ts_code_', 'tk_other_', ''].flatMap((start) =>
    ['abcDE6', 'abcde', 'abcdef7', 'abc_ef'].map((end) => start + end),
  ),
  ...'http://a|HTTPS://a.b/c?d|https://|ftp://a|https://a b|https://a\tb'.split('|'),
  ...[2040, 2041].map((length) => `https://${'a'.repeat(length)}`),
  ...[31, 32, 44, 88, 89].flatMap((length) =>
    ['', '=', '==', '==='].map((end) => `whsec_${'A'.repeat(length)}${end}`),
  ),
  ...[
    `whsk_${'A'.repeat(43)}=`,
    `whsk_${'A'.repeat(43)}`,
    `whsk_${'A'.repeat(42)}=`,
    `whsk_${'A'.repeat(42)}-=`,
    `whsec_${'-'.repeat(44)}`,
  ],
  ...'key.created|a.b|a.b.c|.a|a.|Key.created|session|key|command|api|requested|gone|moved'.split('|'),
];
const DAY = 86_400_000;
const INTEGERS = [
  ...[-1, 0, 1, 2, 63, 64, 99, 100, 999, 1000, DAY, DAY + 1, -DAY],
  ...[-62135596800000, -62135596800001, 253402300799999, 253402300800000, 999999999999999, 1000000000000000],
  ...['9007199254740991', '9007199254740992', '-9223372036854775807', '9223372036854775807'],
];

const sqlite = new DatabaseSync(':memory:');
migrate(sqlite, 0, { waitMs: 0 });
const ofSqlite = checkSchema(sqlite).checks;
const ofPostgres = new Map(
  [...expectedSchema(MIGRATIONS).tables].flatMap(([table, { checks }]) =>
    checks.length === 0 ? [] : [[table, checks] as const],
  ),
);

const quoted = (text: string) => `'${text}'`;
const CASES = [...ofSqlite].flatMap(([table, checks]) => {
  const columns = sqlite.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
  return checks.flatMap((check) => {
    const column = columns.find(({ name }) => name === check.name);
    const values = column?.['type'] === 'TEXT' ? TEXTS.map(quoted) : INTEGERS.map(String);
    return column === undefined ? [] : [{ table, check, values }];
  });
});
const conditionOf = (checks: ReadonlyMap<string, readonly ValueCheck[]>, table: string, name: string) =>
  checks.get(table)?.find((check) => check.name === name)?.condition as string;

test('both databases have the same CHECKs', () => {
  const names = (checks: ReadonlyMap<string, readonly ValueCheck[]>) =>
    [...checks].flatMap(([table, list]) => list.map(({ name }) => `${table} ${name}`)).sort();
  assert.deepEqual(names(ofSqlite), names(ofPostgres));
  for (const [table, checks] of ofSqlite)
    for (const { name, condition } of checks)
      if (!CASES.some((one) => one.table === table && one.check.name === name) && !condition.includes('GLOB'))
        assert.equal(condition, conditionOf(ofPostgres, table, name));
});

test('each CHECK of a column refuses at least one value, and the same values in both databases', async () => {
  const url = await makePostgresDatabase();
  for (const { table, check, values } of CASES) {
    const { name } = check;
    const sqlOf = (condition: string, type: string) =>
      values
        .map(
          (value) =>
            `SELECT CASE WHEN NOT ${condition} THEN 1 ELSE 0 END AS refused FROM (SELECT CAST(${value} AS ${type}) AS ${name}) AS one`,
        )
        .join(' UNION ALL ');
    const isText = values[0]?.startsWith("'") === true;
    const there = sqlite.prepare(sqlOf(check.condition, isText ? 'TEXT' : 'INTEGER')).all();
    const here = await queryPostgres(
      url,
      sqlOf(conditionOf(ofPostgres, table, name), isText ? 'text' : 'bigint'),
    );
    const refused = (rows: readonly Record<string, unknown>[]) =>
      values.filter((_, at) => rows[at]?.['refused'] === 1);
    assert.deepEqual(refused(there), refused(here), `${table} ${name}`);
    assert.ok(refused(here).length > 0, `${table} ${name}`);
  }
});
