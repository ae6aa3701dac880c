import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, run, startServe, walkList } from '../rig/service/process.ts';

test('a file is imported, served and walked: every row of the account once, newest first', async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path };
  const csv = sampleCsv(6000);
  writeFileSync(`${folder.path}/payments.csv`, csv);

  const imported = await run(['import', 'payments.csv'], options);
  assert.equal(imported.status, 0, imported.stderr);
  assert.equal(imported.stdout, 'Imported 6,000 lines: 6,000 new, 0 changed, 0 unchanged, 0 faulty.\n');

  const served = await startServe(options);
  t.after(() => served.child.kill('SIGKILL'));
  for (const account of ['store-1', 'store-2']) {
    const key = await createKey(account, options);
    const expected = expectedRows(csv, account);
    assert.deepEqual(await walkList(served.url, key), expected);
    assert.deepEqual(
      await walkList(served.url, key, 'status=pending'),
      expected.filter((row) => row['status'] === 'pending'),
    );
    assert.deepEqual(
      await walkList(served.url, key, 'currency=AUD'),
      expected.filter((row) => row['currencyCode'] === 'AUD'),
    );
    assert.deepEqual(
      await walkList(served.url, key, 'from=2026-02-01&to=2026-02-28'),
      expected.filter((row) => String(row['createdAt']).startsWith('2026-02-')),
    );
  }
  assert.deepEqual(await served.stop(), { status: 0, signal: null });
});
