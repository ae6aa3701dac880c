import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ClientOptions, type Transaction, TransactionsClient } from '../../client/src/index.ts';
import { expectedRows, sampleCsv } from '../rig/csv.ts';
import { type Served, serveImported, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

const OUTAGE_MS = 10_000;

describe('a walk with the default options', () => {
  const folder = temporaryFolder();
  const csv = sampleCsv(400);
  let served: Served;
  let key: string;

  before(async () => {
    ({ served, key } = await serveImported(csv, 'store-1', { cwd: folder.path }));
  });
  after(async () => {
    await served.stop();
    folder.remove();
  });

  /** Stops the service in the middle of a walk, and continues the walk. */
  async function walkWhileItStops(options: Partial<ClientOptions>): Promise<Transaction[]> {
    const walk = new TransactionsClient({ url: served.url, apiKey: key, ...options }).transactions.list();
    const { data } = await walk.page();
    await served.stop();
    return [...data, ...(await Array.fromAsync(walk))];
  }
  const startAgain = async () => {
    served = await startServe({ cwd: folder.path, env: { PORT: new URL(served.url).port } });
  };

  test('returns every row once if the service is away for 10 seconds', async () => {
    let waitedMs = 0;
    const rows = await walkWhileItStops({
      sleep: async (pauseMs) => {
        waitedMs += pauseMs;
        if (waitedMs >= OUTAGE_MS) await startAgain();
      },
    });
    assert.deepEqual(rows, expectedRows(csv, 'store-1'));
  });

  test("continues after a restart, with the platform's own timers", async () => {
    let restarted: Promise<void> | undefined;
    const rows = await walkWhileItStops({
      fetch: (url, init) =>
        fetch(url, init).catch((error) => {
          restarted ??= startAgain();
          throw error;
        }),
    });
    assert.deepEqual(rows, expectedRows(csv, 'store-1'));
    assert.ok(restarted !== undefined, 'no request failed');
  });
});
