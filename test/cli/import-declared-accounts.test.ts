import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';

test('with ACCOUNTS=declared, each line of another account is reported, also in an empty database and in a dry run', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const file = csvFile(
    csvLine({ account: 'stroe-1', reference: 'a' }),
    csvLine({ account: 'store-1', reference: 'b' }),
    csvLine({ account: 'stroe-1', reference: 'c', createdAt: '9999-12-31T00:00:00.000Z' }),
  );
  const options = { cwd: folder.path, env: { ACCOUNTS: 'declared' }, stdin: file };
  const csv = (...args: string[]) => run(['import', '-', '--format', 'csv', ...args], options);
  const undeclared = (stderr: string) =>
    [...stderr.matchAll(/^line (\d+), column account: "(\S+)" is not declared/gm)].map(
      ([, line, account]) => [Number(line), account],
    );
  const empty = await csv();
  assert.equal(empty.status, 1);
  assert.deepEqual(undeclared(empty.stderr), [
    [2, 'stroe-1'],
    [3, 'store-1'],
    [4, 'stroe-1'],
  ]);
  assert.match(empty.stderr, /^line 4, column createdAt: is too far ahead/m);

  const database = { ...options, env: {} };
  assert.equal((await run(['migrate'], database)).status, 0);
  assert.equal((await run(['keys', 'create', '--account', 'store-1'], database)).status, 0);
  const dry = await csv('--dry-run');
  assert.deepEqual(undeclared(dry.stderr), [
    [2, 'stroe-1'],
    [4, 'stroe-1'],
  ]);
  const { stdout } = await csv('--skip-invalid');
  assert.equal(stdout, 'Imported 3 lines: 1 new, 0 changed, 0 unchanged, 2 faulty.\n');
});
