import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makePostgresDatabase, postgresUrl, queryPostgres } from '../rig/postgres.ts';
import { storeContract } from './contract.ts';

storeContract('PostgreSQL', async () => {
  const url = await makePostgresDatabase();
  const opened: Store[] = [];
  return {
    open: async () => {
      const { store } = await openStore(url, () => Date.UTC(2026, 5, 15));
      opened.push(store);
      return store;
    },
    ruin: async () => {
      await queryPostgres(
        `${await postgresUrl()}/postgres`,
        `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`,
      );
    },
    dispose: async () => {
      for (const store of opened) await store.close();
    },
  };
});
