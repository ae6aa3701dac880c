import { describe } from 'node:test';
import { oldestIsMissing } from '../../rig/database/postgres-versions.ts';
import { oldestPostgresHarness } from '../../rig/store/store-harness.ts';
import { webhooksContract } from '../webhooks-contract.ts';

describe('on the oldest supported version,', { skip: oldestIsMissing }, () => {
  webhooksContract('PostgreSQL', oldestPostgresHarness);
});
