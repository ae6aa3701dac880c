import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { TOPOLOGIES } from '../../../src/db/postgres/topology.ts';
import { NUMBERED_COLUMNS } from '../../../src/ledger/exports/export.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { INSERT_LIST_ROWS, LIST_CASES } from '../../rig/data/list-cases.ts';
import {
  checkListPlan,
  LIST_LIMIT,
  listPlans,
  rowsOfMerchantReference,
} from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`lists on ${version}`, { skip }, () => {
    let url: string;
    before(async () => {
      url = await makePostgresDatabase(await serverUrl());
      await (await openStore(url, () => 0)).store.close();
      await withPostgresClient(url, '', async (client) => {
        await client.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
        await client.query(INSERT_LIST_ROWS);
      });
    });

    for (const statistics of ['none yet', 'gathered']) {
      for (const topology of TOPOLOGIES) {
        test(`every filter and range, with or without matches, reads no more of its index than decisions/list.md allows, without a sort (statistics: ${statistics}; ${topology})`, async () => {
          if (statistics === 'gathered')
            await withPostgresClient(
              url,
              '',
              async (client) => void (await client.query('VACUUM ANALYZE transactions')),
            );
          for (const page of [{ limit: LIST_LIMIT }, { limit: 1000, selected: NUMBERED_COLUMNS }])
            await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (client) => {
              const mostRows = await rowsOfMerchantReference(client);
              let checked = 0;
              for await (const { shape, plan } of listPlans(client, { topology, ...page })) {
                checkListPlan(shape, plan, mostRows, page.limit);
                checked++;
              }
              assert.equal(checked, LIST_CASES.length);
            });
        });
      }
    }
  });
}
