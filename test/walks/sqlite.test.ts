import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { inTier } from '../rig/run/tier.ts';
import { walkProperties } from './walk-properties.ts';

walkProperties(
  'SQLite',
  async () => {
    const { store } = await openStore(IN_MEMORY_URL, () => Date.UTC(2026, 5, 15));
    return { store, dispose: () => store.close() };
  },
  inTier({ short: 32, long: 320 }),
);
