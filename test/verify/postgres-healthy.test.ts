import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/postgres.ts';
import { healthyContract } from './healthy-contract.ts';
import { NOW_MS } from './healthy-database.ts';

healthyContract('PostgreSQL', async () => {
  const url = await makePostgresDatabase();
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
      await queryPostgres(url, sql);
    },
    ruin: async () => {},
    dispose: async () => {
      for (const store of opened) await store.close();
    },
  };
});
