import { openStore } from '../../src/store/open-store.ts';
import { askPostgres, makePostgresDatabase } from '../rig/postgres.ts';
import { walkProperties } from './walk-properties.ts';

let url: string | undefined;

walkProperties(
  'PostgreSQL',
  async () => {
    url ??= await makePostgresDatabase();
    const { store } = await openStore(url, () => Date.UTC(2026, 5, 15));
    await askPostgres(url, 'DELETE FROM transactions; DELETE FROM api_keys');
    return { store, dispose: () => store.close() };
  },
  96,
);
