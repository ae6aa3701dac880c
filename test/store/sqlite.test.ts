import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { storeContract } from './contract.ts';

storeContract('SQLite', async () => {
  const folder = temporaryFolder();
  const opened: Store[] = [];
  return {
    open: async () => {
      const { store } = await openStore(`sqlite:${folder.path}/transactions.db`, () => Date.UTC(2026, 5, 15));
      opened.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of opened) await store.close();
      folder.remove();
    },
  };
});
