import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../test/rig/run/temporary-folder.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import {
  type Migration,
  pendingMigrations,
  readMigrations,
  refuseUnmigrated,
  type Unmigrated,
  unmigratedOf,
} from './migrations.ts';

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

const KNOWN: Migration[] = [1, 2, 3].map((version) => ({
  version,
  name: `step-${version}`,
  sql: '',
  checksum: `checksum ${version}`,
}));
const applied = (...versions: number[]) =>
  versions.map((version) => ({ version, checksum: `checksum ${version}` }));

test("a database is refused if the text of its migration differs from the program's", () => {
  for (const version of [1, 2, 3]) {
    const others = applied(1, 2, 3).map((migration) =>
      migration.version === version ? { ...migration, checksum: 'other' } : migration,
    );
    assert.throws(
      () => pendingMigrations(KNOWN, others),
      new StoreRefused(
        `its migration ${version} differs from this program's: run the program that applied it. Nothing was changed.`,
      ),
    );
  }
});

test('an older schema and an empty database are refused with what to do, and one that is up to date is not', () => {
  assert.equal(unmigratedOf(KNOWN, applied(1, 2, 3)), undefined);
  const refuse = (...versions: number[]) =>
    refuseUnmigrated(unmigratedOf(KNOWN, applied(...versions)) as Unmigrated);
  assert.throws(
    () => refuse(1),
    /older than this program's\. .*"transactions migrate".*: 2 step-2, 3 step-3\.$/,
  );
  assert.throws(() => refuse(), /it is empty\. Set DATABASE_URL/);
});
