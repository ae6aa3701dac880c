import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Options, runConformance } from '../../conformance/index.js';
import type { RunOptions } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { createOperatorKey, createWebhookKey, startWebhookService } from '../rig/webhook-service.ts';
import { ACCOUNTS, transactionsOf } from './fill-accounts.ts';
import { showTransaction } from './right-server/transaction.ts';
import { failuresOf } from './run-kit.ts';

/** Starts the service with two filled accounts. */
async function startFilled(t: TestContext, options: RunOptions): Promise<Options> {
  const operatorKey = await createOperatorKey(options);
  const served = await startWebhookService(options);
  t.after(() => served.stop());
  const lines = ACCOUNTS.flatMap((account) =>
    transactionsOf(account).map((row) => JSON.stringify({ account, ...showTransaction(row) })),
  );
  const response = await fetch(`${served.operatorUrl}/v1/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const outcomes = (await response.text()).trim().split('\n');
  assert.deepEqual(
    outcomes.filter((outcome) => !outcome.includes('"recorded"')),
    [],
  );
  const [key, secondKey] = await Promise.all(
    ACCOUNTS.map((account) => createWebhookKey(served, operatorKey, account)),
  );
  assert.ok(key !== undefined && secondKey !== undefined && served.operatorUrl !== undefined);
  const { url, operatorUrl } = served;
  return { url, key, secondKey, operatorUrl, operatorKey };
}

/** The service on a database passes every check, with the operator's key and without. */
export async function judgeService(t: TestContext, databaseUrl: string): Promise<void> {
  const { path: cwd, remove } = temporaryFolder();
  t.after(remove);
  const options = await startFilled(t, { cwd, env: { DATABASE_URL: databaseUrl } });
  const report = await runConformance({ ...options, seed: 61 });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  const { operatorUrl: _, operatorKey: __, ...reading } = options;
  const second = await runConformance({ ...reading, seed: 62 });
  assert.deepEqual(failuresOf(second), []);
  t.diagnostic(`${report.requests} and ${second.requests} requests`);
}
