import { postgresHarness } from '../rig/store-harness.ts';
import { changesContract } from './changes-contract.ts';
import { storeContract } from './contract.ts';
import { exportsContract } from './exports-contract.ts';
import { searchContract } from './search-contract.ts';
import { totalsContract } from './totals-contract.ts';
import { webhooksContract } from './webhooks-contract.ts';

storeContract('PostgreSQL', postgresHarness);
changesContract('PostgreSQL', postgresHarness);
totalsContract('PostgreSQL', postgresHarness);
exportsContract('PostgreSQL', postgresHarness);
searchContract('PostgreSQL', postgresHarness);
webhooksContract('PostgreSQL', postgresHarness);
