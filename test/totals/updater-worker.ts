import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../../src/store/open-store.ts';
import { Random } from '../rig/run/random.ts';
import { addSomeToTotals } from './add-some.ts';
import type { TotalsData } from './run-totals.ts';

/** Another instance: adds the changes of the accounts that it was last sent, until it is sent null or is killed. */
const { databaseUrl } = workerData as TotalsData;
const { store } = await openStore(databaseUrl, Date.now, { timeoutMs: 60_000, connections: 2 });
let accounts: readonly string[] | null = [];
parentPort?.on('message', (sent: readonly string[] | null) => {
  accounts = sent;
});
parentPort?.postMessage('ready');
const random = new Random(performance.now());
while (accounts !== null) {
  const [account] = accounts.length === 0 ? [] : [random.pick(accounts)];
  const added = account === undefined ? 0 : await addSomeToTotals(store, account, random);
  // While there is nothing to add, it leaves the processor to the others.
  await (added === 0 ? delay(1) : nextTurn());
}
await store.close();
parentPort?.close();
