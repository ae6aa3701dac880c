import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createOperatorKey } from '../crash/recording-load.ts';
import { sampleCsv } from '../rig/csv.ts';
import { importCsv, type Served, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const LINES = 150;

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
  const response = await fetch(`${served.operatorUrl}/v1/transactions/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Resolves when the operator's metrics show so many folded changes. More are an error. */
async function untilFolded(served: Served, expected: number): Promise<void> {
  for (let folded = 0; folded < expected; await delay(20)) {
    const text = await (await fetch(`${served.operatorUrl}/metrics`)).text();
    folded = Number(/^transactions_changes_folded_total (\d+)$/m.exec(text)?.[1]);
    assert.ok(folded <= expected, `${folded} changes were folded`);
  }
}

describe('serve', { timeout: 120_000 }, () => {
  for (const args of [[], ['--workers', '2']]) {
    test(`folds what it finds at its start and what it records, once each (${args.join(' ') || 'one process'})`, async (t) => {
      const { path: cwd, remove } = temporaryFolder();
      t.after(remove);
      await importCsv(sampleCsv(600), { cwd });
      const operatorKey = await createOperatorKey({ cwd });
      const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' }, args });
      t.after(() => served.stop());
      await untilFolded(served, 600);
      await recordBatch(served, operatorKey, 'a');
      await untilFolded(served, 600 + LINES);
      assert.deepEqual(await served.stop(), { status: 0, signal: null });
    });
  }
});
