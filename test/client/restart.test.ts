import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Transaction, TransactionsClient } from '../../client/src/index.ts';
import { expectedRows, sampleCsv } from '../rig/data/csv.ts';
import { type TestOptions, testOptions } from '../rig/http/client.ts';
import { importedService } from '../rig/service/imported-service.ts';

const OUTAGE_MS = 10_000;

describe('a list with the default options', () => {
  const csv = sampleCsv(400);
  const service = importedService(csv);

  /** Stops the service in the middle of a list, and continues it. */
  async function readWhileItStops(options: Partial<TestOptions>): Promise<Transaction[]> {
    const { url, key: apiKey } = service;
    const list = new TransactionsClient(testOptions({ url, apiKey, ...options })).transactions.list();
    const { data } = await list.page();
    await service.stop();
    return [...data, ...(await Array.fromAsync(list))];
  }

  test('returns every row once if the service is away for 10 seconds', async () => {
    let waitedMs = 0;
    const rows = await readWhileItStops({
      sleep: async (pauseMs) => {
        waitedMs += pauseMs;
        if (waitedMs >= OUTAGE_MS) await service.startAgain();
      },
    });
    assert.deepEqual(rows, expectedRows(csv, 'store-1'));
  });

  test("continues after a restart, with the platform's own timers", async () => {
    let restarted: Promise<void> | undefined;
    const rows = await readWhileItStops({
      fetch: (url, init) =>
        fetch(url, init).catch((error) => {
          restarted ??= service.startAgain();
          throw error;
        }),
    });
    assert.deepEqual(rows, expectedRows(csv, 'store-1'));
    assert.ok(restarted !== undefined, 'no request failed');
  });
});
