import { hostilePostgresHarness } from '../../rig/store/store-harness.ts';
import { healthyContract } from '../../verify/healthy-contract.ts';
import { changesContract } from '../changes-contract.ts';
import { storeContract } from '../contract.ts';
import { webhooksContract } from '../webhooks-contract.ts';

const NAME = 'PostgreSQL as a role with hostile settings';

storeContract(NAME, hostilePostgresHarness);
changesContract(NAME, hostilePostgresHarness);
webhooksContract(NAME, hostilePostgresHarness);
healthyContract(NAME, hostilePostgresHarness, { databases: 1, steps: 20 });
