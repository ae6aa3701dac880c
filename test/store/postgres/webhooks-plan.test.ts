import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type pg from 'pg';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { arrayText } from '../../../src/db/postgres/driver/statement.ts';
import { TOPOLOGIES, type Topology } from '../../../src/db/postgres/topology.ts';
import { grantRole, openStore } from '../../../src/store/open-store.ts';
import {
  CREATE,
  DELETE,
  DISABLE,
  findWebhookSql,
  KEEP,
  LOCK,
  listDeliverableSql,
  listFailuresSql,
  listWebhooksSql,
  PROGRESS,
  RAISE_VERSION,
  REMOVE,
  REMOVE_AFTER,
  REMOVE_ALL,
  REPLACE,
  RETRY,
} from '../../../src/webhooks/postgres/webhook-statements.ts';
import { FAILURE_COLUMNS, newWebhookValues, replacedValues } from '../../../src/webhooks/webhook-columns.ts';
import { explain, explainPrepared, nodesOf, type Read, readOf } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';
import { idOf, webhook } from '../../rig/webhooks/webhooks.ts';

const ACCOUNTS = 1000;
const ENDPOINTS = 4;
/** Of one endpoint of an account. Every other one has a next attempt: the larger its number, the earlier. */
const FAILURES = 20_000;
const LARGE = ['store-1', idOf(1)] as const;
const SMALL = ['store-2', idOf(1)] as const;

/** Four endpoints of each account, the first one of them disabled, each with a failure. */
const INSERT_ROWS = `INSERT INTO webhook_endpoints (bucket, ordered, created_at_ms, disabled_at_ms, disabled_reason, version, replay_version,
    acknowledged_sequence, account, id, url, secret)
  SELECT n % 64, 0, n, CASE WHEN m = 0 THEN 1 END, CASE WHEN m = 0 THEN 'gone' END, 1, 0, 0,
    'store-' || n, 'we_' || lpad(m::text, 16, '0'), 'https://example.com', 's'
  FROM generate_series(1, ${ACCOUNTS}) AS n CROSS JOIN generate_series(0, ${ENDPOINTS - 1}) AS m;
INSERT INTO webhook_failures (bucket, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, account, endpoint_id, error)
  SELECT bucket, 1, 1, 0, 0, 1, account, id, 'failed' FROM webhook_endpoints;
INSERT INTO webhook_failures (bucket, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, account, endpoint_id, error)
  SELECT 1, n, 1, 0, 0, CASE WHEN n % 2 = 0 THEN -n END, '${LARGE[0]}', '${LARGE[1]}', 'failed' FROM generate_series(2, ${FAILURES}) AS n;
INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, paid_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT '${LARGE[0]}', n, 'r' || n, 'completed', 1, 'EUR', 1, n, 1, n FROM generate_series(1, 5000) AS n`;

const ENDPOINTS_KEY = 'webhook_endpoints_pkey';
const FAILURES_KEY = 'webhook_failures_pkey';

/** With a value in every column. */
const FULL = webhook(9, {
  account: LARGE[0],
  types: [],
  label: 'till',
  previousSecret: { secret: 'before', untilMs: 9 },
  disabled: { reason: 'gone', atMs: 5 },
  failingSinceMs: 5,
});

/** Each write with its values. The failures 3 and 4 are among those of the endpoint, the one after the last is new. */
const WRITES = {
  CREATE: [CREATE, [...newWebhookValues(FULL), 20]],
  LOCK: [LOCK, LARGE],
  REMOVE_AFTER: [REMOVE_AFTER, [...LARGE, 1, FAILURES - 2]],
  REPLACE: [REPLACE, [...LARGE, 1, 5, ...replacedValues(FULL)]],
  RETRY: [RETRY, [...LARGE, 3, 5]],
  RAISE_VERSION: [RAISE_VERSION, [...LARGE, 3]],
  KEEP: [
    KEEP,
    [
      ...LARGE,
      1,
      0,
      7,
      7,
      ...FAILURE_COLUMNS.map((column) =>
        arrayText(
          column === 'sequence' ? [3, 4, FAILURES + 1] : column === 'error' ? ['a', 'b', 'c'] : [1, 2, 3],
        ),
      ),
    ],
  ],
  REMOVE: [REMOVE, [...LARGE, 1, 0, 7, 7, arrayText([3, 4])]],
  PROGRESS: [PROGRESS, [...LARGE, 1, 0, 7, 7, 5]],
  DISABLE: [DISABLE, [...LARGE, 1, 'failing', 5]],
  REMOVE_ALL: [REMOVE_ALL, SMALL],
  DELETE: [DELETE, SMALL],
} as const;
/**
 * The most rows that a write reads of its indexes. New failures, and before version 17 removed ones, can be compared with all of their
 * endpoint: deliveries keep at most 1,000. The progress of deliveries reads the change that it has reached.
 */
const mostRowsOf = (name: string) => (/^(KEEP|REMOVE)$/.test(name) ? 2 + FAILURES : ENDPOINTS);

async function prepare(client: pg.Client, topology: Topology): Promise<void> {
  for (const [name, sql] of [
    ['list', listWebhooksSql(topology)],
    ['find', findWebhookSql(topology)],
    ['failures', listFailuresSql(topology)],
    ...Object.entries(WRITES).map(([name, [{ text }]]) => [`write_${name}`, text] as const),
  ] as const)
    await client.query(`PREPARE ${name} AS ${sql}`);
}

const read = async (...statement: Parameters<typeof explainPrepared>): Promise<Read> =>
  readOf(await explainPrepared(...statement));

async function checkReads(client: pg.Client): Promise<void> {
  for (const [[account, id], failures] of [
    [LARGE, FAILURES],
    [SMALL, 1],
    [['none', idOf(1)], 0],
  ] as const) {
    const endpoints = failures === 0 ? 0 : ENDPOINTS;
    const list = await read(client, 'list', [account]);
    assert.deepEqual(list.indexes, [ENDPOINTS_KEY, FAILURES_KEY]);
    // The failures of the other endpoints, too.
    assert.ok(list.rows <= 2 * endpoints + failures, String(list.rows));
    assert.deepEqual(await read(client, 'find', [account, id]), {
      indexes: [ENDPOINTS_KEY, FAILURES_KEY],
      rows: failures === 0 ? 0 : 1 + failures,
    });
    for (const limit of [1, 8, 100]) {
      for (const after of [0, 1, FAILURES / 2, FAILURES - 1])
        assert.deepEqual(await read(client, 'failures', [account, id, after, limit]), {
          indexes: [FAILURES_KEY],
          rows: Math.max(0, Math.min(limit, failures - after)),
        });
    }
  }
}

async function checkDeliverable(client: pg.Client, topology: Topology): Promise<void> {
  for (const buckets of [[1], [1, 2, 40], Array.from({ length: 64 }, (_, bucket) => bucket)]) {
    await client.query('BEGIN');
    const steps = listDeliverableSql(topology, { buckets }).split(';\n');
    for (const step of steps.slice(0, -1)) await client.query(step);
    const { indexes, rows } = readOf(await explain(client, steps.at(-1) ?? ''));
    await client.query('ROLLBACK');
    const accounts = buckets.reduce(
      (sum, bucket) => sum + Math.floor((ACCOUNTS - bucket) / 64) + (bucket === 0 ? 0 : 1),
      0,
    );
    const watched = topology === 'one server' ? ['watched_accounts_pkey'] : [];
    assert.deepEqual(indexes, [...watched, 'webhook_endpoints_enabled', FAILURES_KEY]);
    // Each with its first failure.
    assert.equal(rows, 2 * (ENDPOINTS - 1) * accounts);
  }
}

/** Writes, and writes nothing for good. */
async function checkWrites(client: pg.Client): Promise<void> {
  for (const [name, [, values]] of Object.entries(WRITES)) {
    await client.query('BEGIN');
    await client.query(`SELECT set_config('transactions.account', $1, true)`, [values[0]]);
    const plan = await explainPrepared(client, `write_${name}`, values as readonly (string | number)[]);
    await client.query('ROLLBACK');
    const shown = () => `${name}: ${JSON.stringify(plan, null, 1)}`;
    let rows = 0;
    for (const node of nodesOf(plan)) {
      assert.ok(!/Seq Scan|Bitmap|Hash|Merge|Sort/.test(String(node['Node Type'])), shown());
      if (!('Index Name' in node)) continue;
      assert.match(
        String(node['Index Name']),
        /^(webhook_(endpoints|failures)_pkey|transactions_by_(pending|final)_sequence|archives_pkey)$/,
        shown(),
      );
      assert.match(String(node['Index Cond']), /^\(+account = /, shown());
      const removed = Number(node['Rows Removed by Filter'] ?? 0);
      rows += (Number(node['Actual Rows']) + removed) * Number(node['Actual Loops']);
    }
    assert.ok(rows <= mostRowsOf(name), shown());
  }
}

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`webhooks on ${version}`, { skip }, () => {
    /** Runs work as a role that has only the rights of the service, so that the policies of the tables apply. */
    const asService = async (url: string, client: pg.Client, work: () => Promise<void>) => {
      const role = `webhooks_plan_${process.pid}`;
      await client.query(`CREATE ROLE ${role}`);
      try {
        await grantRole(url, role);
        await client.query(`SET ROLE ${role}`);
        await work();
        await client.query('RESET ROLE');
      } finally {
        await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    };

    for (const topology of TOPOLOGIES) {
      test(`are read and written by the ranges of their indexes, whether or not statistics are gathered, also with a plan of an empty table (${topology})`, async () => {
        const url = await makePostgresDatabase(await serverUrl());
        await (await openStore(url, () => 0)).store.close();
        const options = optionsOf(LIST_SETTINGS);
        const checkAll = async (client: pg.Client) => {
          await checkReads(client);
          await checkDeliverable(client, topology);
          await checkWrites(client);
        };
        await withPostgresClient(url, options, async (first) => {
          await prepare(first, topology);
          for (const table of ['webhook_endpoints', 'webhook_failures'])
            await first.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
          await read(first, 'list', ['none']);
          await read(first, 'find', ['none', '']);
          await read(first, 'failures', ['none', '', 0, 1]);
          await checkWrites(first);
          await first.query(INSERT_ROWS);
          await checkAll(first);
          await first.query('VACUUM ANALYZE webhook_endpoints, webhook_failures');
          await withPostgresClient(url, options, async (second) => {
            await prepare(second, topology);
            await checkAll(second);
            if (topology === 'one server') await asService(url, second, () => checkAll(second));
          });
          await checkAll(first);
        });
      });
    }
  });
}
