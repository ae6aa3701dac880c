import { sqliteHarness } from '../rig/store-harness.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { contradictionsContract } from '../store/copy-contradictions-contract.ts';

copiedContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
contradictionsContract('SQLite', sqliteHarness, sqliteHarness);
