import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { readMigrations } from './migrations.ts';

function folderOf(t: TestContext, files: Record<string, string>): URL {
  const { path } = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return pathToFileURL(`${path}/`);
}

test('the migrations of a folder are read in the order of their numbers', (t) => {
  const folder = folderOf(t, { '0002-add-keys.sql': 'two', '0001-initial.sql': 'ö\n' });
  assert.deepEqual(readMigrations(folder), [
    {
      version: 1,
      name: 'initial',
      sql: 'ö\n',
      checksum: createHash('sha256').update('ö\n', 'utf8').digest('hex'),
    },
    { version: 2, name: 'add-keys', sql: 'two', checksum: createHash('sha256').update('two').digest('hex') },
  ]);
});

test('a folder with a gap, a duplicate number, a first number other than 1 or a file of another kind is refused', (t) => {
  for (const [files, message] of [
    [['0001-a.sql', '0003-c.sql'], '0003-c.sql is not migration 2 of its folder'],
    [['0001-a.sql', '0001-b.sql'], '0001-b.sql is not migration 2 of its folder'],
    [['0002-b.sql'], '0002-b.sql is not migration 1 of its folder'],
    [['0001-a.sql', 'README.md'], 'README.md is not migration 2 of its folder'],
    [['0001-A.sql'], '0001-A.sql is not migration 1 of its folder'],
  ] as const) {
    const folder = folderOf(t, Object.fromEntries(files.map((name) => [name, ''])));
    assert.throws(() => readMigrations(folder), { message }, files.join());
  }
});
