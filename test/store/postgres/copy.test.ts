import { postgresHarness } from '../../rig/store-harness.ts';
import { copyContract } from '../copy-contract.ts';

copyContract('PostgreSQL', postgresHarness);
