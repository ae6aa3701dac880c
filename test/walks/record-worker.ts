import { parentPort, workerData } from 'node:worker_threads';
import { settleResult } from '../../src/ledger/record/group-commit.ts';
import type { RecordResult } from '../../src/ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';

/** Records in a separate thread, on separate connections, during the walks. */
const { databaseUrl } = workerData as { databaseUrl: string };
const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
parentPort?.on('message', async (transactions: AccountTransaction[] | null) => {
  if (transactions === null) {
    await store.close();
    parentPort?.close();
    return;
  }
  const results = await store.recordTransactions(transactions);
  const settled = transactions.map((one, index) => settleResult(store, one, results[index] as RecordResult));
  parentPort?.postMessage(await Promise.all(settled));
});
