import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onCitus, returnCitusDatabase, takeCitusDatabase } from '../rig/database/citus.ts';
import { citusHarness } from '../rig/store/store-harness.ts';
import { corruptionsOf } from './corruptions.ts';
import { healthyContract } from './healthy-contract.ts';
import { makeHealthy, verifyDatabase } from './healthy-database.ts';
import { withoutConstraints } from './without-constraints.ts';

onCitus('verify on Citus', () => {
  healthyContract('Citus', citusHarness, { databases: 2, steps: 20 });

  describe('verify finds on Citus', () => {
    for (const { name, sql, reported } of corruptionsOf('Citus'))
      test(name, async () => {
        const url = await takeCitusDatabase();
        await makeHealthy(url);
        for (const one of sql) await withoutConstraints(url, one, 'cursor_secret');
        assert.deepEqual((await verifyDatabase(url)).lines, reported);
        await returnCitusDatabase(url);
      });
  });
});
