import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { makeCitusDatabase, onCitus } from '../rig/database/citus.ts';
import { noticesDuring } from '../rig/database/notices.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { FILL_TABLES } from '../rig/store/fill-tables.ts';
import { USES } from '../rig/store/use-every-call.ts';

const OF_SEVERAL_ACCOUNTS: readonly string[] = ['record', 'readHeads', 'listDeliverable', 'openImport'];
onCitus('shards of statements', () => {
  test('each call of the store for one account reads and writes one shard', async (t) => {
    const url = await makeCitusDatabase();
    await (await openStore(url, () => 0)).store.close();
    for (const sql of FILL_TABLES) await queryPostgres(url, sql);
    const database = new URL(url).pathname.slice(1);
    await queryPostgres(url, `ALTER DATABASE ${database} SET citus.log_remote_commands = on`);
    const shards = await queryPostgres(
      url,
      'SELECT shardid::text AS id, shardminvalue AS "from" FROM pg_dist_shard WHERE shardminvalue IS NOT NULL',
    );
    const fromOf = new Map(shards.map(({ id, from }) => [id, from]));
    const shardsIn = (text: string) =>
      [...text.matchAll(/_(\d{6,})\b/g)].flatMap(([, id]) => fromOf.get(id) ?? []);
    const { store } = await openStore(url, () => 0, { timeoutMs: 30_000, connections: 1, records: true });
    const several: string[] = [];
    let statements = 0;
    for (const [name, use] of Object.entries(USES)) {
      const sent = await noticesDuring(async () => {
        await use(store as never);
      });
      const used = sent.map(({ message }) => shardsIn(message)).filter((found) => found.length > 0);
      statements += used.length;
      if (new Set(used.flat()).size > 1) several.push(name);
    }
    assert.deepEqual(several, OF_SEVERAL_ACCOUNTS);
    assert.ok(statements > 500, 'the statements of the workers were not reported');
    t.diagnostic(`${statements} statements`);
  });
});
