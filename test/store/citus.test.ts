import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import type { ListQuery } from '../../src/core/list/list-query.ts';
import type { Store } from '../../src/core/store.ts';
import { isMerged } from '../../src/store/list-shape.ts';
import { openStore } from '../../src/store/open-store.ts';
import { listSql } from '../../src/store/postgres/list-sql.ts';
import { scanOf } from '../../src/store/postgres/list-transactions.ts';
import { INSERT_LIST_ROWS, LIST_CASES } from '../rig/list-cases.ts';
import { queryPostgres } from '../rig/postgres.ts';
import { storeContract } from './contract.ts';

/** The coordinator of a cluster in which databases can be created. No package includes one. */
const SERVER = process.env['TEST_CITUS_URL'];
/** Its workers, as HOST:PORT separated by commas. Without workers, the coordinator has the shards. */
const WORKERS = (process.env['TEST_CITUS_WORKERS'] ?? '').split(',').filter((worker) => worker !== '');

const MAX_BUFFERS = 15;

const made: string[] = [];
after(async () => {
  for (const name of made) await drop(name);
});

const workerUrl = (worker: string) => {
  const url = new URL(SERVER as string);
  url.host = worker;
  return String(url).replace(/\/$/, '');
};

const drop = async (name: string) => {
  for (const server of [SERVER as string, ...WORKERS.map(workerUrl)])
    await queryPostgres(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
};

/** A database of the cluster: on its workers, or on the coordinator alone. */
async function makeCitusDatabase(): Promise<string> {
  const name = `test_citus_${process.pid}_${made.length}`;
  made.push(name);
  for (const server of [SERVER as string, ...WORKERS.map(workerUrl)]) {
    await queryPostgres(`${server}/postgres`, `CREATE DATABASE ${name}`);
    await queryPostgres(`${server}/${name}`, 'CREATE EXTENSION citus');
  }
  const url = `${SERVER}/${name}`;
  const { hostname, port } = new URL(url);
  await queryPostgres(url, 'SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const worker of WORKERS) {
    const [host, workerPort] = worker.split(':');
    await queryPostgres(url, 'SELECT citus_add_node($1, $2)', [host, Number(workerPort)]);
  }
  if (WORKERS.length === 0) {
    const keepsShards = "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)";
    await queryPostgres(url, keepsShards, [hostname, Number(port)]);
  }
  return url;
}

if (SERVER === undefined) {
  test('Citus: not tested here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('the store on Citus was not tested');
    assert.equal(SERVER, undefined);
  });
} else {
  storeContract('Citus', async () => {
    const url = await makeCitusDatabase();
    const opened: Store[] = [];
    return {
      open: async () => {
        const { store } = await openStore(url, () => Date.UTC(2026, 5, 15));
        opened.push(store);
        return store;
      },
      ruin: async () => {
        await drop(new URL(url).pathname.slice(1));
      },
      dispose: async () => {
        for (const store of opened) await store.close();
      },
    };
  });

  test('every list on Citus is one task, a backward scan of its own index, with any statistics of the workers', async () => {
    const url = await makeCitusDatabase();
    await (await openStore(url, Date.now)).store.close();
    await queryPostgres(url, INSERT_LIST_ROWS);
    await queryPostgres(url, 'VACUUM ANALYZE transactions');
    // These rows are not in the statistics.
    await queryPostgres(
      url,
      `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms)
       SELECT 'large', n, 'new_' || n, 'order-5', 'completed', n, 'GBP', n FROM generate_series(1, 4000) AS n`,
    );
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const query of LIST_CASES) await checkPlan(client, query);
    } finally {
      await client.end();
    }
  });
}

async function checkPlan(client: pg.Client, query: ListQuery): Promise<void> {
  const { shape, values } = scanOf(query);
  const statuses = isMerged(shape) ? ['cancelled', 'completed', 'pending'] : [];
  const given = [...values, 11, ...statuses];
  const text = listSql(shape, { rowLevelSecurity: false, statuses: statuses.length }).replace(
    /\$(\d+)/g,
    (_, number) => {
      const value = given[Number(number) - 1];
      return typeof value === 'number' ? String(value) : client.escapeLiteral(String(value));
    },
  );
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`);
  const { Job: job } = rows[0]['QUERY PLAN'][0].Plan['Distributed Query'];
  const shown = `${text}\n${JSON.stringify(job, null, 1)}`;
  assert.equal(job['Task Count'], 1, shown);
  const [[{ Plan: plan }]] = job.Tasks[0]['Remote Plan'];
  assert.ok(!/Sort|Seq Scan|Bitmap/.test(JSON.stringify(plan)), shown);
  assert.ok(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] <= MAX_BUFFERS, shown);
}
