import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { type OpenOptions, openStore } from '../../../src/store/open-store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { startPgbouncer } from '../../rig/database/pgbouncer.ts';
import {
  makePostgresDatabase,
  makePostgresRole,
  postgresUrl,
  queryPostgres,
} from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { missing } from '../../rig/run/installed.ts';
import { inTier } from '../../rig/run/tier.ts';
import { someEntry } from '../../rig/store/audit.ts';
import { idOf, webhook } from '../../rig/webhooks/webhooks.ts';
import { apiKey } from '../api-keys-contract.ts';

const OPTIONS: OpenOptions = { timeoutMs: 10_000, connections: 2, records: true };
const ROUNDS = inTier({ short: 1, long: 3 });
const TRANSACTIONS = 20;

for (const [where, lowering, isBeside] of [
  ['for the role', 'ALTER ROLE postgres SET synchronous_commit = off', false],
  ['in the configuration, while the service runs', 'ALTER SYSTEM SET synchronous_commit = off', true],
] as const) {
  test(`killing a server with synchronous_commit=off ${where} loses nothing that was acknowledged`, async () => {
    // With synchronous_commit off, a commit stays in memory for about this delay, and a kill would lose it.
    const server = await startPostgres({ settings: { wal_writer_delay: '10s' } });
    const url = `${server.url}/postgres`;
    const lower = async () => {
      await queryPostgres(url, lowering);
      await queryPostgres(url, 'SELECT pg_reload_conf()');
    };
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await queryPostgres(url, 'ALTER SYSTEM RESET synchronous_commit');
        await queryPostgres(url, 'SELECT pg_reload_conf()');
        if (!isBeside) await lower();
        const { store } = await openStore(url, Date.now, OPTIONS);
        const account = `round-${round}`;
        const keyId = `key_${String(round).padStart(16, '0')}`;
        await record(store, [transaction(account, 'first')]);
        if (isBeside) await lower();
        for (let index = 0; index < TRANSACTIONS; index++)
          await record(store, [transaction(account, String(index))]);
        await store.createApiKey(apiKey(keyId), someEntry());
        assert.ok(await store.createWebhook(webhook(round, { account }), 20, someEntry()));
        await server.kill();
        await store.close();
        await server.start();
        const { store: again } = await openStore(url, Date.now, OPTIONS);
        const listed = await again.listTransactions({ account, filter: NO_FILTER, after: null }, 1000);
        assert.equal(listed.transactions.length, TRANSACTIONS + 1);
        assert.notEqual(await again.findApiKey(apiKey(keyId).hash), undefined);
        assert.notEqual(await again.findWebhook(account, idOf(round)), undefined);
        await again.close();
      }
    } finally {
      await server.stop();
    }
  });
}

test('a level of synchronous_commit that is at least local stays as it is', async () => {
  const database = await makeMigratedDatabase();
  await queryPostgres(
    database,
    `CREATE TABLE levels (reference text, level text);
CREATE FUNCTION note_level() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO levels VALUES (NEW.reference, current_setting('synchronous_commit')); RETURN NEW; END $$;
CREATE TRIGGER note_level AFTER INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION note_level()`,
  );
  const { role, url } = await makePostgresRole(database);
  await queryPostgres(database, `ALTER ROLE ${role} SUPERUSER`);
  const levels = ['off', 'local', 'remote_write', 'on', 'remote_apply'];
  for (const level of levels) {
    await queryPostgres(database, `ALTER ROLE ${role} SET synchronous_commit = ${level}`);
    const { store } = await openStore(url, Date.now, OPTIONS);
    await record(store, [transaction('store-1', level)]);
    await store.close();
  }
  assert.deepEqual(
    await queryPostgres(database, 'SELECT reference, level FROM levels'),
    levels.map((level) => ({ reference: `store-1.${level}`, level: level === 'off' ? 'local' : level })),
  );
});

for (const [what, settings] of [
  ['refuses', {}],
  ['ignores', { ignore_startup_parameters: 'options' }],
] as const) {
  test(`behind a pooler that ${what} the options of a session, a role with settings that the service can't do without is refused`, {
    skip: missing('pgbouncer'),
  }, async () => {
    for (const [name, wrong, needed] of [
      ['synchronous_commit', 'off', 'local'],
      ['array_nulls', 'off', 'on'],
      ['default_transaction_isolation', 'serializable', 'read committed'],
    ]) {
      const url = new URL(await makePostgresDatabase());
      await queryPostgres(url.href, `ALTER DATABASE "${url.pathname.slice(1)}" SET ${name} = '${wrong}'`);
      const pgbouncer = await startPgbouncer(await postgresUrl(), settings);
      try {
        url.port = String(pgbouncer.port);
        await assert.rejects(openStore(url.href, Date.now, OPTIONS), {
          name: 'StoreRefused',
          message: new RegExp(
            `can't be used: a pooler drops the settings of its sessions, and ${name} is ${wrong}\\. .*ALTER ROLE \\.\\.\\. SET ${name} = '${needed}'.* Nothing was changed\\.$`,
          ),
        });
      } finally {
        await pgbouncer.stop();
      }
    }
  });
}
