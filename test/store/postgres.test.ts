import { keptHarnesses } from '../rig/store/kept-harness.ts';
import { postgresHarness } from '../rig/store/store-harness.ts';
import { changesContract } from './changes-contract.ts';
import { storeContract } from './contract.ts';
import { exportsContract } from './exports-contract.ts';
import { sealsContract } from './seals-contract.ts';
import { searchContract } from './search-contract.ts';
import { totalsContract } from './totals-contract.ts';
import { webhooksContract } from './webhooks-contract.ts';

const harness = keptHarnesses(postgresHarness);

storeContract('PostgreSQL', harness);
changesContract('PostgreSQL', harness);
totalsContract('PostgreSQL', harness);
exportsContract('PostgreSQL', harness);
searchContract('PostgreSQL', harness);
sealsContract('PostgreSQL', harness);
webhooksContract('PostgreSQL', harness);
