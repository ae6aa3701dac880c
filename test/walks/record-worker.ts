import { parentPort, workerData } from 'node:worker_threads';
import type { AccountTransaction } from '../../src/core/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';

/** Records in a separate thread, on separate connections, during the walks. */
const { databaseUrl } = workerData as { databaseUrl: string };
const { store } = await openStore(databaseUrl, Date.now);
parentPort?.on('message', async (transactions: AccountTransaction[] | null) => {
  if (transactions === null) {
    await store.close();
    parentPort?.close();
    return;
  }
  parentPort?.postMessage(await store.recordTransactions(transactions));
});
