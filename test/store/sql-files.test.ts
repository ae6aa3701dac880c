import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { LIST_SETTINGS, RECORDING_SETTINGS } from '../../src/db/postgres/driver/plan-settings.ts';
import { sentForAccount, sentStatement } from '../../src/db/postgres/sent-statement.ts';
import { TOPOLOGIES } from '../../src/db/postgres/topology.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { addTextSearch } from '../../src/db/sqlite/text-search.ts';
import { openStore } from '../../src/store/open-store.ts';
import { nodesOf } from '../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS } from '../rig/database/postgres.ts';
import { SQLITE_STATEMENTS, STATEMENTS } from '../rig/database/sql-files.ts';
import { FILL_TABLES, LARGE_TABLES } from '../rig/store/fill-tables.ts';

test('each statement of a file names tables and columns of SQLite', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  addTextSearch(db);
  for (const { name, text } of SQLITE_STATEMENTS) assert.doesNotThrow(() => db.prepare(text), name);
  assert.ok(STATEMENTS.length > 60, `${STATEMENTS.length} statements`);
  assert.throws(() => db.prepare('SELECT labels FROM api_keys'));
  db.close();
});

/** Statements that read more than a range of an index, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'keys.endKey': 'the largest value of an index is its last one',
  'keys.rollKey': 'the largest value of an index is its last one',
  'keys.listEnds': 'the largest value of an index is its last one',
  'keys.unendedAnywhere': 'at most SESSIONS_AT_ONCE are read',
};

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS)
  test(`each statement of a file reads a range of an index of ${version}`, { skip }, async () => {
    const url = await makePostgresDatabase(await serverUrl());
    await (await openStore(url, () => 0)).store.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await using _ = { [Symbol.asyncDispose]: () => client.end() };
    for (const sql of [...FILL_TABLES, 'ANALYZE']) await client.query(sql);
    const reading: string[] = [];
    for (const topology of TOPOLOGIES)
      for (const statement of STATEMENTS) {
        const settings = isOfRecording(statement) ? RECORDING_SETTINGS : LIST_SETTINGS;
        for (const [name, value] of Object.entries({ ...RESET, ...settings }))
          await client.query(`SET ${name} = ${value}`);
        if (statement.texts[topology === 'cluster' ? 'cluster' : 'server'] === undefined) continue;
        const isRead = /^(SELECT|WITH)\b(?!.*FOR (NO KEY )?(UPDATE|SHARE))/s.test(
          statement.texts.server ?? '',
        );
        const isOfAccount = isRead && statement.on === 'account';
        const { text } = isOfAccount ? sentForAccount(topology, statement) : sentStatement(statement);
        await client.query(`PREPARE planned AS ${text}`);
        const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
        const values = count === 0 ? '' : ` (${Array(count).fill('NULL').join(', ')})`;
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE planned${values}`);
        await client.query('DEALLOCATE planned');
        const isWide = nodesOf(rows[0]['QUERY PLAN'][0].Plan).some(
          (node) => LARGE_TABLES.includes(String(node['Relation Name'])) && isUnbounded(node),
        );
        if (isWide) reading.push(statement.name);
      }
    assert.deepEqual([...new Set(reading)].sort(), Object.keys(EXCEPTIONS).sort());
  });

/** Recordings have connections of their own, whose plans can sort. */
const isOfRecording = ({ name }: { name: string }) => name.startsWith('record.');
const RESET = { enable_sort: 'on', enable_incremental_sort: 'on' };

/** True if a node reads a table without the bounds of an index. */
const isUnbounded = (node: Record<string, unknown>) =>
  /Scan/.test(String(node['Node Type'])) && node['Index Cond'] === undefined;
