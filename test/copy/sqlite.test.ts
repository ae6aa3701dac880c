import { sqliteHarness } from '../rig/store-harness.ts';
import { checkWhileFollowingContract } from '../store/check-while-following-contract.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { contradictionsContract } from '../store/copy-contradictions-contract.ts';

copiedContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
contradictionsContract('SQLite', sqliteHarness, sqliteHarness);
checkWhileFollowingContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
