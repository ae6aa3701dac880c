import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  BackgroundConnections,
  connectToPrimary,
  parsePostgresUrl,
} from '../../../src/db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../../src/db/postgres/read-worker.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { makePostgresDatabase, queryPostgres, sessionLimits } from '../../rig/database/postgres.ts';

/** The parts of Citus the read uses: two tables with two shards each on one worker, and one on another. */
const LIKE_CITUS = `
CREATE TABLE things (account text); CREATE TABLE parts (account text);
CREATE TABLE things_1 (name text); CREATE TABLE things_2 (name text); CREATE TABLE things_3 (name text);
CREATE TABLE parts_11 (size bigint); CREATE TABLE parts_12 (size bigint); CREATE TABLE parts_13 (size bigint);
INSERT INTO things_1 VALUES ('größer "x"'), ('50%'); INSERT INTO things_2 VALUES ('c'); INSERT INTO things_3 VALUES ('d');
INSERT INTO parts_11 VALUES (9007199254740991); INSERT INTO parts_12 VALUES (NULL);
CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
INSERT INTO pg_dist_shard VALUES ('parts', 11, '-5'), ('parts', 12, '0'), ('parts', 13, '7'), ('things', 1, '-5'), ('things', 2, '0'), ('things', 3, '7');
CREATE TABLE pg_dist_placement (shardid bigint, groupid int);
INSERT INTO pg_dist_placement VALUES (1, 1), (11, 1), (2, 1), (12, 1), (3, 2), (13, 2);
CREATE TABLE pg_dist_node (groupid int, nodename text, nodeport int, noderole text);
INSERT INTO pg_dist_node VALUES (1, 'one', 5432, 'primary'), (1, 'standby', 5432, 'secondary'), (2, 'two', 5432, 'primary'), (3, 'empty', 5432, 'primary');
CREATE FUNCTION shard_name(object_name regclass, shard_id bigint) RETURNS text LANGUAGE sql AS $$ SELECT object_name || '_' || shard_id $$;
CREATE FUNCTION master_run_on_worker(worker_name text[], port integer[], command text[], parallel boolean,
  OUT node_name text, OUT node_port integer, OUT success boolean, OUT result text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
  node_name := worker_name[1]; node_port := port[1]; success := true;
  EXECUTE command[1] INTO result;
  RETURN NEXT;
EXCEPTION WHEN division_by_zero THEN
  success := false; result := 'failed to connect';
  RETURN NEXT;
END $$`;

let background: BackgroundConnections;
before(async () => {
  const url = await makePostgresDatabase();
  await queryPostgres(url, LIKE_CITUS);
  background = new BackgroundConnections({
    timeoutMs: 20_000,
    connect: () => connectToPrimary(parsePostgresUrl(url), { ...sessionLimits(20_000), pipeline: true }),
  });
});
after(() => background.close());

const TABLES = ['things', 'parts'];
const SELECT = `SELECT json_build_array(t.name, p.size) FROM ${shardOf(0)} AS t CROSS JOIN ${shardOf(1)} AS p`;
const read = (worker: string, select = SELECT) => readWorker(background, worker, { tables: TABLES, select });

test('the rows of all shards of one worker are read, each joined with the matching shards of other tables', async () => {
  const rows = await read('one:5432');
  assert.deepEqual(
    rows.toSorted((left, right) => (String(left) < String(right) ? -1 : 1)),
    [
      ['50%', 9_007_199_254_740_991],
      ['c', null],
      ['größer "x"', 9_007_199_254_740_991],
    ],
  );
  assert.deepEqual(await read('two:5432'), []);
});

test('a worker without shards, or one that has left the cluster, has no rows', async () => {
  for (const worker of ['empty:5432', 'gone:5432']) assert.deepEqual(await read(worker), []);
});

test('a failed worker is not treated as a worker without rows', async () => {
  await assert.rejects(
    read('one:5432', `SELECT json_build_array(1 / 0) FROM ${shardOf(0)}`),
    StoreUnavailable,
  );
});
