import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { CORRUPTIONS } from './corruptions.ts';
import { NOW_MS, recordHealthy, type VerifiedStore, verifyDatabase } from './healthy-database.ts';

describe('verify finds on SQLite', () => {
  const folder = temporaryFolder();
  const healthy = `${folder.path}/healthy.db`;
  let copies = 0;
  before(async () => {
    const { store } = await openStore(`sqlite:${healthy}`, () => NOW_MS);
    await recordHealthy(store as VerifiedStore);
    await store.close();
  });
  after(() => folder.remove());

  const linesAfter = async (work: (db: DatabaseSync, path: string) => void, pageSize?: number) => {
    const path = `${folder.path}/${++copies}.db`;
    copyFileSync(healthy, path);
    const db = new DatabaseSync(path);
    db.exec('PRAGMA ignore_check_constraints = ON');
    work(db, path);
    db.close();
    const { lines } = await verifyDatabase(`sqlite:${path}`, pageSize === undefined ? {} : { pageSize });
    return lines.map((line) => line.replace(/key_\w{16}/, 'KEY'));
  };

  test('nothing in a healthy database', async () => {
    const { lines, verified } = await verifyDatabase(`sqlite:${healthy}`);
    assert.deepEqual(lines, []);
    assert.deepEqual(verified, {
      schemaObjects: verified.schemaObjects,
      accounts: 2,
      transactions: 9,
      changes: 10,
      unnumbered: 0,
      dailyTotals: 7,
      monthlyTotals: 6,
      indexEntries: 39,
      apiKeys: 2,
      idempotencyKeys: 1,
      exports: 1,
      disagreements: 0,
    });
    assert.ok(verified.schemaObjects > 70);
  });

  for (const { name, sql, reported } of CORRUPTIONS)
    test(name, async () => {
      for (const pageSize of [undefined, 1])
        assert.deepEqual(await linesAfter((db) => db.exec(sql), pageSize), [...reported].sort());
    });
});
