import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makePostgresDatabase, postgresUrl, queryPostgres } from '../rig/postgres.ts';
import { type ChangesHarness, changesContract } from './changes-contract.ts';
import { storeContract } from './contract.ts';
import { exportsContract } from './exports-contract.ts';
import { totalsContract } from './totals-contract.ts';

const NOW_MS = Date.UTC(2026, 5, 15);

const makeHarness = async (): Promise<ChangesHarness> => {
  const url = await makePostgresDatabase();
  const opened: Store[] = [];
  return {
    open: async () => {
      const { store } = await openStore(url, () => NOW_MS);
      opened.push(store);
      return store;
    },
    nowMs: NOW_MS,
    execute: async (sql) => {
      await queryPostgres(url, sql);
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
};

storeContract('PostgreSQL', makeHarness);
changesContract('PostgreSQL', makeHarness);
totalsContract('PostgreSQL', makeHarness);
exportsContract('PostgreSQL', makeHarness);
