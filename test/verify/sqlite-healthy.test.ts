import { sqliteHarness } from '../rig/store/store-harness.ts';
import { healthyContract } from './healthy-contract.ts';

healthyContract('SQLite', sqliteHarness);
