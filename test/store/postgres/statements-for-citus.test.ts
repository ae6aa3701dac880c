import { postgresHarness } from '../../rig/store/store-harness.ts';
import { changesContract } from '../changes-contract.ts';

changesContract('PostgreSQL, with the statements for Citus', async () => {
  const harness = await postgresHarness();
  await harness.execute('ALTER TABLE transactions DISABLE ROW LEVEL SECURITY');
  return harness;
});
