import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteStore } from '../../../src/store/open-sqlite-store.ts';

const { files, counters, openers } = workerData as {
  files: string[];
  counters: SharedArrayBuffer;
  openers: number;
};
const arrived = new Int32Array(counters);

/** Opens each file at the same time as the other openers, and sends the number of migrations that ran. */
let migrations = 0;
for (const [index, path] of files.entries()) {
  Atomics.add(arrived, index, 1);
  Atomics.notify(arrived, index);
  for (let count = Atomics.load(arrived, index); count < openers; count = Atomics.load(arrived, index)) {
    Atomics.wait(arrived, index, count, 1000);
  }
  const opened = openSqliteStore(path, () => 0, { timeoutMs: 60_000 }, { mayMigrate: true });
  if (!('store' in opened)) throw new Error(`${path} was not migrated`);
  migrations += opened.migrated.length;
  await opened.store.close();
}
parentPort?.postMessage(migrations);
