import { sqliteHarness } from '../rig/store/store-harness.ts';
import { copyContract } from './copy-contract.ts';

copyContract('SQLite', sqliteHarness);
