import { parentPort, workerData } from 'node:worker_threads';
import { settleResult } from '../../src/ledger/record/group-commit.ts';
import type { RecordResult } from '../../src/ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { TotalsData } from './run-totals.ts';

export interface Write {
  id: number;
  isImport: boolean;
  transactions: readonly AccountTransaction[];
}

export interface Written {
  id: number;
  outcomes: string[];
}

/** Records and imports at once, in a separate thread and on separate connections. */
const { databaseUrl } = workerData as TotalsData;
const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
const connection = await store.openImport();

async function write({ isImport, transactions }: Write): Promise<string[]> {
  if (isImport) {
    const { outcomes } = await connection.recordTransactions(transactions);
    return outcomes.map(({ outcome }) => outcome);
  }
  const results = await store.recordTransactions(transactions);
  const outcomes = transactions.map((transaction, index) =>
    settleResult(store, transaction, results[index] as RecordResult),
  );
  return (await Promise.all(outcomes)).map(({ outcome }) => outcome);
}

parentPort?.on('message', async (sent: Write | null) => {
  if (sent !== null) {
    const written: Written = { id: sent.id, outcomes: await write(sent) };
    parentPort?.postMessage(written);
    return;
  }
  await connection.close();
  await store.close();
  parentPort?.close();
});
