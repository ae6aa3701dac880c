import { sqliteHarness } from '../rig/store/store-harness.ts';
import { checkWhileFollowingContract } from '../store/check-while-following-contract.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { contradictionsContract } from '../store/copy-contradictions-contract.ts';
import { restoredSourceContract } from '../store/copy-restored-contract.ts';

copiedContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
contradictionsContract('SQLite', sqliteHarness, sqliteHarness);
restoredSourceContract('SQLite', sqliteHarness);
checkWhileFollowingContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
