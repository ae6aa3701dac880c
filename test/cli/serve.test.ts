import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { createKey, importCsv, run, startServe, walkList } from '../rig/service/process.ts';

turnTest('serve refuses a database that another program has locked', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  await run(['migrate'], { cwd });
  const path = `${cwd}/data/transactions.db`;
  const db = new DatabaseSync(path);
  db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  const { status, stderr } = await run(['serve'], { cwd, env: { PORT: '0' } });
  db.close();
  assert.equal(status, 1);
  assert.match(stderr, /it is locked by another program/);
});

turnTest(
  'a status that has transactions but is no longer declared is logged once at the start, and filters accept it',
  async (t) => {
    const options = { cwd: temporaryFolder(t).path, env: { STATUSES: 'refunded:paid,failed:unpaid' } };
    const csv = `account,reference,merchantReference,status,amount,currencyCode,paidAt,createdAt
store-1,store-1.r1,,refunded,1.00,EUR,2026-03-01T00:00:00.000Z,2026-03-01T00:00:00.000Z
store-1,store-1.r2,,failed,1.00,EUR,,2026-03-01T00:00:00.000Z
`;
    await importCsv(csv, options);
    const key = await createKey('store-1', options);
    const declaring = await startServe(options);
    await declaring.stop();
    assert.doesNotMatch(declaring.logged(), /does not declare/);

    const served = await startServe({ ...options, env: { STATUSES: 'failed:unpaid' } });
    const listed = await walkList(served.url, key, 'status=refunded');
    await served.stop();
    assert.deepEqual(
      listed.map(({ reference }) => reference),
      ['store-1.r1'],
    );
    const warnings = jsonLines(served.logged()).filter(({ msg }) => msg.includes('does not declare'));
    assert.deepEqual(
      warnings.map(({ level, statuses }) => [level, statuses]),
      [[40, ['refunded']]],
    );
  },
);
