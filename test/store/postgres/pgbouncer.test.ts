import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/store/open-store.ts';
import { buildTestApp } from '../../rig/app.ts';
import { PGBOUNCER, startPgbouncer } from '../../rig/pgbouncer.ts';
import { makePostgresDatabase, postgresUrl } from '../../rig/postgres.ts';
import { record, transaction } from '../../rig/transactions.ts';

const skip = PGBOUNCER === undefined && 'pgbouncer is not installed; Debian has it as the package pgbouncer';

for (const [what, settings] of [
  ['that refuses the options of the session', {}],
  ['that ignores the options of the session', { ignore_startup_parameters: 'options' }],
] as const) {
  test(`200: through a pgbouncer in transaction mode ${what}`, { skip }, async () => {
    const database = new URL(await makePostgresDatabase());
    const pgbouncer = await startPgbouncer(await postgresUrl(), settings);
    try {
      database.port = String(pgbouncer.port);
      // Two services that share three connections of the server.
      const stores = await Promise.all([1, 2].map(() => openStore(database.href, Date.now)));
      const accounts = ['acct-1', 'acct-2'];
      const [first] = stores;
      assert.ok(first);
      await record(
        first.store,
        accounts.flatMap((account) =>
          Array.from({ length: 25 }, (_, index) => transaction(account, String(index))),
        ),
      );
      const apps = await Promise.all(stores.map(({ store }) => buildTestApp({ store })));
      const keys = await Promise.all(accounts.map((account) => apps[0]?.makeKey(account)));
      const walk = async (round: number) => {
        const app = apps[round % apps.length];
        const key = keys[(round >> 1) % keys.length];
        assert.ok(app && key);
        const references: string[] = [];
        const filter = ['', 'status=completed', 'currency=EUR', 'status=completed&currency=EUR'][round % 4];
        for (let query = filter; query !== undefined; ) {
          const { status, text, body } = await app.send(`/v1/transactions?${query}`, { key });
          assert.equal(status, 200, text);
          references.push(...body.data.map(({ reference }: { reference: string }) => reference));
          query = body.hasMore ? `cursor=${body.nextCursor}` : undefined;
        }
        assert.equal(new Set(references).size, 25);
        assert.equal(references.length, 25);
      };
      await Promise.all(Array.from({ length: 32 }, (_, round) => walk(round)));
      for (const app of apps) {
        await app.keyCache.refresh();
        await app.keyUses.flush(app.store);
      }
      for (const { store } of stores) await store.close();
    } finally {
      await pgbouncer.stop();
    }
  });
}
