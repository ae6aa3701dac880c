import { sqliteHarness } from '../rig/store/store-harness.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { copiedLivesContract } from '../store/copied-lives-contract.ts';
import { refusedCopyContract } from '../store/copy-refused-contract.ts';
import { restoredSourceContract } from '../store/copy-restored-contract.ts';

copiedContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
copiedLivesContract('SQLite to SQLite', sqliteHarness, sqliteHarness);
restoredSourceContract('SQLite', sqliteHarness);
refusedCopyContract('SQLite', sqliteHarness);
