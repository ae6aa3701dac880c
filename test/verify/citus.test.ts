import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CITUS_URL, returnCitusDatabase, takeCitusDatabase } from '../rig/database/citus.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { citusHarness } from '../rig/store/store-harness.ts';
import { CORRUPTIONS } from './corruptions.ts';
import { healthyContract } from './healthy-contract.ts';
import { makeHealthy, verifyDatabase } from './healthy-database.ts';

/** Corruptions that no constraint of a shard refuses. */
const POSSIBLE: readonly string[] = [
  'a transaction is missing',
  'a transaction that was completed is missing',
  'the last transaction is missing',
  'a number is beyond the head',
  'the head is one too low',
  'the head is too high',
  'the head is missing',
  'an amount is one hundredth too high',
  'another status than was recorded',
  'a transaction is on another day',
  'a count of a day is one too high',
  'a count is negative',
  'a total of a day is missing',
  'the stored totals are missing',
  'the cursor secret is cut off',
  'the record of an export is cut off',
  'the record of an export has another account',
  'a webhook has acknowledged more changes than there are',
  'failures whose webhook is missing',
  'types of a webhook are cut off',
];

if (CITUS_URL === undefined) {
  test('Citus: not tested here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('verify on Citus was not tested');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  healthyContract('Citus', citusHarness, { databases: 2, steps: 20 });

  describe('verify finds on Citus', () => {
    for (const { name, sql, reported } of CORRUPTIONS.filter((one) => POSSIBLE.includes(one.name)))
      test(name, async () => {
        const url = await takeCitusDatabase();
        await makeHealthy(url);
        await queryPostgres(url, sql);
        assert.deepEqual((await verifyDatabase(url)).lines, [...reported].sort());
        await returnCitusDatabase(url);
      });

    test('every one of these corruptions', () => {
      assert.deepEqual(
        POSSIBLE.filter((name) => !CORRUPTIONS.some((one) => one.name === name)),
        [],
      );
    });
  });
}
