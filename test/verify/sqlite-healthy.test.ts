import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { healthyContract } from './healthy-contract.ts';
import { NOW_MS } from './healthy-database.ts';

healthyContract('SQLite', async () => {
  const folder = temporaryFolder();
  const path = `${folder.path}/transactions.db`;
  const url = `sqlite:${path}`;
  const opened: Store[] = [];
  return {
    url,
    open: async () => {
      const { store } = await openStore(url, () => NOW_MS);
      opened.push(store);
      return store;
    },
    nowMs: NOW_MS,
    execute: async (sql) => {
      const db = new DatabaseSync(path, { timeout: 60_000 });
      db.exec(sql);
      db.close();
    },
    ruin: async () => {},
    dispose: async () => {
      for (const store of opened) await store.close();
      folder.remove();
    },
  };
});
