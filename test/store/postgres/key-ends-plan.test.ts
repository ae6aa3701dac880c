import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_ENDS_PAGE } from '../../../src/keys/api-key-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { nodesOf } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } from '../../rig/database/postgres.ts';
import { plansDuring, sendPlans } from '../../rig/database/postgres-statements.ts';

const KEYS = 20_000;
/** The pages of the index from its root to the entry, and the next one. */
const MOST_BUFFERS = 6;
const POLLS = 3;

/** A table with dead, not vacuumed row versions, and keys all revoked just now, as after a leak. */
const BLOAT = [
  'ALTER TABLE api_keys SET (autovacuum_enabled = off)',
  `INSERT INTO api_keys (id, account, hash, key_start, scopes, created_at_ms)
   SELECT 'key_' || lpad(n::text, 16, '0'), 'store-' || n, lpad(n::text, 64, '0'), 'tk_live_aaaaaa', 'read', 0 FROM generate_series(1, ${KEYS}) AS n`,
  ...Array.from({ length: 4 }, (_, round) => `UPDATE api_keys SET last_used_at_ms = ${round}`),
  `UPDATE api_keys SET revoked_at_ms = 7,
     end_recorded_at_ms = floor(extract(epoch FROM clock_timestamp()) * 1000) + substr(id, 5)::bigint`,
];

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS)
  test(`the ends of keys after the last one are read from their index, however bloated their table is, on ${version}`, {
    skip,
  }, async () => {
    const url = await makePostgresDatabase(await serverUrl());
    await (await openStore(url, () => 0)).store.close();
    await sendPlans(url, { 'auto_explain.log_buffers': 'on' });
    for (const sql of BLOAT) await queryPostgres(url, sql);
    for (const hasStatistics of [false, true]) {
      if (hasStatistics) await queryPostgres(url, 'ANALYZE api_keys');
      const plans = await plansDuring(async () => {
        const { store } = await openStore(url, () => 0, { timeoutMs: 30_000, connections: 1 });
        await using _ = { [Symbol.asyncDispose]: () => store.close() };
        let last: number | null = null;
        for (let isLast = false; !isLast; ) {
          const ends = await store.listKeyEnds(last);
          last = ends.at(-1)?.recordedAtMs ?? last;
          isLast = ends.length < KEY_ENDS_PAGE;
        }
        for (let poll = 0; poll < POLLS; poll++) assert.equal((await store.listKeyEnds(last)).length, 1);
      });
      const polls = plans.filter(({ text }) => /WHERE end_recorded_at_ms >= /.test(text));
      assert.equal(polls.length, Math.ceil(KEYS / (KEY_ENDS_PAGE - 1)) + POLLS);
      for (const { plan } of polls.slice(-POLLS)) {
        const shown = JSON.stringify(plan, null, 1);
        assert.ok(
          nodesOf(plan).every((node) => !/Seq Scan|Bitmap|Sort/.test(String(node['Node Type']))),
          shown,
        );
        assert.ok(
          Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']) <= MOST_BUFFERS,
          shown,
        );
      }
    }
  });
