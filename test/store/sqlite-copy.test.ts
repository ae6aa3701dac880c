import { sqliteHarness } from '../rig/store-harness.ts';
import { copyContract } from './copy-contract.ts';

copyContract('SQLite', sqliteHarness);
