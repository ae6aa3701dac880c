import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MIN_CHANGES_TO_ADD } from '../../src/service/background-totals.ts';
import { createOperatorKey } from '../crash/recording-load.ts';
import { csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createKey, importCsv, type Served, startServe } from '../rig/service/process.ts';

const LINES = 150;
const ATTEMPTS = 5;

async function recordBatch(served: Served, operatorKey: string, name: string): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({
      account: 'store-1',
      reference: `store-1.${name}-${index}`,
      status: 'pending',
      amount: '1.00',
      currencyCode: 'EUR',
      createdAt: '2026-06-15T12:00:00.000Z',
    }),
  );
  const response = await fetch(`${served.operatorUrl}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  assert.equal(response.status, 200, await response.text());
}

/** The database of a service, which other processes write. */
function openData(t: TestContext, cwd: string): DatabaseSync {
  const db = new DatabaseSync(`${cwd}/data/transactions.db`, { readOnly: true, timeout: GIVE_UP_MS });
  t.after(() => db.close());
  return db;
}

/**
 * Resolves when the stored totals have all recorded changes but at most `left`, and the metric counts exactly those that they have. Neither
 * ever has more.
 */
async function untilAdded(served: Served, db: DatabaseSync, recorded: number, left = 0): Promise<void> {
  const sum = db.prepare('SELECT coalesce(sum(sequence), 0) AS added FROM totals_progress');
  for (let isAdded = false; !isAdded; await delay(20)) {
    const text = await (await fetch(`${served.operatorUrl}/metrics`)).text();
    const counted = Number(/^transactions_stored_totals_changes_total (\d+)$/m.exec(text)?.[1]);
    const added = Number(sum.get()?.['added']);
    assert.ok(counted <= added, `${counted} changes were counted, ${added} are in the totals`);
    assert.ok(added <= recorded, `${added} changes are added, ${recorded} were recorded`);
    isAdded = counted === added && recorded - added <= left;
  }
}

describe('serve', { timeout: GIVE_UP_MS }, () => {
  for (const args of [[], ['--workers', '2']]) {
    test(`adds what it finds at its start and what it records, once each (${args.join(' ') || 'one process'})`, async (t) => {
      const { path: cwd, remove } = temporaryFolder();
      t.after(remove);
      await importCsv(sampleCsv(600), { cwd });
      const operatorKey = await createOperatorKey({ cwd });
      const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' }, args });
      t.after(() => served.stop());
      const db = openData(t, cwd);
      await untilAdded(served, db, 600);
      await recordBatch(served, operatorKey, 'a');
      // On a busy machine, the work begins before the last lines are recorded, and leaves them.
      await untilAdded(served, db, 600 + LINES, MIN_CHANGES_TO_ADD - 1);
      assert.deepEqual(await served.stop(), { status: 0, signal: null });
    });
  }

  test('adds what an import recorded when a worker reads its totals, before a scan finds it', async (t) => {
    const { path: cwd, remove } = temporaryFolder();
    t.after(remove);
    const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' }, args: ['--workers', '2'] });
    t.after(() => served.stop());
    const db = openData(t, cwd);
    const isAdded = (account: string) =>
      db.prepare('SELECT 1 FROM totals_progress WHERE account = ?').get(account) !== undefined;
    let isFoundByScan = true;
    for (let attempt = 1; isFoundByScan && attempt <= ATTEMPTS; attempt++) {
      // A scan handles them in this order. On a busy machine, its minute can end just now.
      const [unread, read] = [`imported-${attempt}-a`, `imported-${attempt}-b`] as const;
      const authorization = `Bearer ${await createKey(read, { cwd })}`;
      const lines = [unread, read].flatMap((account) =>
        Array.from({ length: LINES }, (_, index) => csvLine({ account, reference: `r${index}` })),
      );
      await importCsv(csvFile(...lines), { cwd });
      const response = await fetch(`${served.url}/v1/totals`, { headers: { authorization } });
      assert.equal(response.status, 200, await response.text());
      while (!isAdded(read)) await delay(20);
      isFoundByScan = isAdded(unread);
    }
    assert.equal(isFoundByScan, false);
  });
});
