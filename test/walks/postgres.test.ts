import { openStore } from '../../src/store/open-store.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { inTier } from '../rig/run/tier.ts';
import { walkProperties } from './walk-properties.ts';

let url: string | undefined;

walkProperties(
  'PostgreSQL',
  async () => {
    url ??= await makeMigratedDatabase();
    const { store } = await openStore(url, () => Date.UTC(2026, 5, 15));
    await queryPostgres(url, 'DELETE FROM transactions; DELETE FROM api_keys');
    return { store, dispose: () => store.close() };
  },
  inTier({ short: 4, long: 96 }),
);
