import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { statementsOf } from './statement.ts';
import { numbered, readRows } from './statement-text.ts';

function fileOf(text: string): URL {
  const { path } = temporaryFolder();
  writeFileSync(`${path}/keys.sql`, text);
  return pathToFileURL(`${path}/keys.sql`);
}

const FILE = `-- on: coordinator

-- name: find
-- Finds a key.
SELECT id FROM keys
WHERE hash = :hash;

-- name: lock (postgres)
SELECT 1::bigint FROM keys;
`;

test('a statement has the text for each database, and where it runs', () => {
  const sql = statementsOf(fileOf(FILE));
  const text = 'SELECT id FROM keys\nWHERE hash = :hash';
  assert.deepEqual(
    { ...sql('find'), readRow: null },
    {
      name: 'keys.find',
      on: 'coordinator',
      texts: { sqlite: text, server: text, cluster: text },
      readRow: null,
    },
  );
  const lock = 'SELECT 1::bigint FROM keys';
  assert.deepEqual(sql('lock').texts, { server: lock, cluster: lock });
  assert.throws(() => sql('remove'), /has no statement remove/);
});

test('a file can have statements that run elsewhere', () => {
  const sql = statementsOf(fileOf(`${FILE}\n-- on: account\n\n-- name: list\nSELECT id FROM keys;\n`));
  assert.deepEqual([sql('lock').on, sql('list').on], ['coordinator', 'account']);
});

test('a file that does not say where its statements run, or has two texts of one name, is refused', () => {
  assert.throws(() => statementsOf(fileOf(FILE.replace('-- on', '-- at'))), /does not say where find runs/);
  assert.throws(() => statementsOf(fileOf(FILE + FILE)), /find has no text, or two/);
  const headless = fileOf(FILE.replace('-- name: lock (postgres)\n', ''));
  assert.throws(() => statementsOf(headless), /find has no text, or two/);
  assert.throws(() => statementsOf(fileOf('-- on: account\n-- name: empty\n')), /empty has no text, or two/);
});

test('each parameter gets one number, a cast is no parameter, and a missing value is refused', () => {
  const { text, valuesOf } = numbered('keys.find', 'SELECT :b::text, :a, :b, :databaseNowMs', {
    databaseNowMs: 'now()',
    write: (number) => `$${number}`,
    first: ['a'],
  });
  assert.equal(text, 'SELECT $2::text, $1, $2, now()');
  assert.deepEqual(valuesOf({ a: 1, b: null, c: 'more' }), [1, null]);
  assert.throws(() => valuesOf({ a: 1 }), /keys\.find has no value for b/);
});

test('a row whose columns are not those that are read is an error', () => {
  const read = (values: readonly (string | number | null)[]) =>
    readRows({ readRow: (row) => [row.text(), row.integerOrNull()] }, [values]);
  assert.deepEqual(read(['a', null]), [['a', null]]);
  assert.throws(() => read(['a', 1, 2]), /has 3 columns, and 2 are read/);
  assert.throws(() => read([null, 1]), /has a NULL where a text is required/);
  assert.throws(() => read(['a', '1']), /has no integer but string/);
  assert.throws(() => read(['a']), /has no integer but undefined/);
});
