import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

const folder = temporaryFolder();
after(() => folder.remove());

test('an absent file, and a folder in its place, are explained on PostgreSQL too, which is opened before the file is read', async () => {
  const options = { cwd: folder.path, env: { DATABASE_URL: await makePostgresDatabase() } };
  mkdirSync(`${folder.path}/folder.csv`);
  for (const [file, fault] of [
    ['absent.csv', /^There is no file "absent\.csv"\.\n$/],
    ['folder.csv', /^folder\.csv can't be read: .*Nothing was recorded\.\n$/],
  ] as const) {
    const { status, stdout, stderr } = await run(['import', file], options);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, fault);
  }
});
