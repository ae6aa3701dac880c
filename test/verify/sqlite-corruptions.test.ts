import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { turnTest } from '../rig/run/turn-test.ts';
import { CORRUPTIONS } from './corruptions.ts';
import { verifyDatabase } from './healthy-database.ts';
import { healthyFile } from './healthy-file.ts';

/** They find planted faults, so each commit has them. */
const PLANTED = ['the last transaction is missing', 'an amount is one hundredth too high'];

describe('verify finds on SQLite', () => {
  const copyOfHealthy = healthyFile();

  const linesAfter = async (work: (db: DatabaseSync, path: string) => void, pageSize?: number) => {
    const path = copyOfHealthy();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA ignore_check_constraints = ON');
    work(db, path);
    db.close();
    const { lines } = await verifyDatabase(`sqlite:${path}`, pageSize === undefined ? {} : { pageSize });
    return lines.map((line) => line.replace(/key_\w{16}/, 'KEY'));
  };

  test('nothing in a healthy database', async () => {
    const { lines, verified } = await verifyDatabase(`sqlite:${copyOfHealthy()}`);
    assert.deepEqual(lines, []);
    assert.deepEqual(verified, {
      schemaObjects: verified.schemaObjects,
      accounts: 2,
      transactions: 9,
      changes: 10,
      sealedChanges: 0,
      dailyTotals: 7,
      indexes: 20,
      apiKeys: 2,
      idempotencyKeys: 1,
      exports: 1,
      webhooks: 2,
      webhookFailures: 2,
      auditEntries: 6,
      disagreements: 0,
    });
    assert.ok(verified.schemaObjects > 70);
  });

  for (const { name, sql, reported } of CORRUPTIONS)
    (PLANTED.includes(name) ? test : turnTest)(name, async () => {
      for (const pageSize of [undefined, 1])
        assert.deepEqual(await linesAfter((db) => db.exec(sql), pageSize), [...reported].sort());
    });
});
