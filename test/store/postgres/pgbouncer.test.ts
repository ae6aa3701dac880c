import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { limitSettings } from '../../../src/db/postgres/driver/connect.ts';
import { LIST_SETTINGS, NO_JIT, RECORDING_SETTINGS } from '../../../src/db/postgres/driver/plan-settings.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { jsonLines } from '../../rig/data/json-lines.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { startPgbouncer } from '../../rig/database/pgbouncer.ts';
import {
  makePostgresDatabase,
  postgresUrl,
  queryPostgres,
  ROLE_PASSWORD,
  sessionLimits,
} from '../../rig/database/postgres.ts';
import { startPostgres } from '../../rig/database/postgres-server.ts';
import { plansDuring, sendPlans } from '../../rig/database/postgres-statements.ts';
import { missing } from '../../rig/run/installed.ts';
import { temporaryFolder } from '../../rig/run/temporary-folder.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { startServe } from '../../rig/service/process.ts';
import { replaced } from '../../rig/service/proxies.ts';

const skip = missing('pgbouncer');

for (const [what, settings] of [
  ['that refuses the options of the session', {}],
  ['that ignores the options of the session', { ignore_startup_parameters: 'options' }],
] as const) {
  test(`200: through a pgbouncer in transaction mode ${what}`, { skip }, async () => {
    const database = new URL(await makePostgresDatabase());
    const pgbouncer = await startPgbouncer(await postgresUrl(), settings);
    try {
      database.port = String(pgbouncer.port);
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

  test(`lists and recordings are planned with their settings through a pgbouncer ${what}`, {
    skip,
  }, async () => {
    const url = new URL(await makePostgresDatabase());
    await sendPlans(url.href);
    const pgbouncer = await startPgbouncer(await postgresUrl(), settings);
    url.port = String(pgbouncer.port);
    const plans = await plansDuring(async () => {
      const { store } = await openStore(url.href, Date.now);
      await record(store, [transaction('acct-1', 'a')]);
      await store.listTransactions({ account: 'acct-1', filter: NO_FILTER, after: null }, 11);
      await store.close();
    }).finally(pgbouncer.stop);
    for (const [text, expected] of [
      ['AS caller', LIST_SETTINGS],
      ['INSERT INTO transactions', RECORDING_SETTINGS],
    ] as const) {
      const used = plans.filter((plan) => plan.text.includes(text));
      assert.ok(used.length > 0, text);
      const changed = Object.entries(expected).filter(([, value]) => value !== 'on');
      for (const [name, value] of changed)
        for (const plan of used) assert.equal(plan.settings[name], value, `${text} ${name}`);
    }
  });
}

const guide = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8');
const COMMANDS = guide.match(/^ALTER ROLE transactions_serving SET .*;$/gm) ?? [];
const OF_THE_PLACE = /^(listen_|auth_file|server_tls_)/;

const SAMPLE = readFileSync(new URL('../../../release/ops/pgbouncer.ini', import.meta.url), 'utf8');

function sample(): Record<string, string> {
  const [, section = ''] = SAMPLE.split('[pgbouncer]\n');
  const lines = section.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  const pairs = lines.map((line) => line.split(' = ') as [string, string]);
  const settings = pairs.filter(([name]) => !OF_THE_PLACE.test(name));
  return { ...Object.fromEntries(settings), auth_file: 'userlist.txt' };
}

async function makeUserlist(serverUrl: string): Promise<string> {
  const [query = ''] = SAMPLE.match(/(?<=^; )SELECT .*;$/m) ?? [];
  await queryPostgres(`${serverUrl}/postgres`, `ALTER ROLE postgres PASSWORD '${ROLE_PASSWORD}'`);
  const lines = await queryPostgres(
    `${serverUrl}/postgres`,
    replaced(query, [["'transactions'", "'postgres'"]]),
  );
  return lines.map(({ format }) => `${format}\n`).join('');
}

test('the guide has an ALTER ROLE line for each session option, except those without which the service does not start', () => {
  const options = { ...limitSettings(sessionLimits(1)), ...NO_JIT };
  const named = COMMANDS.map((command) => / SET (\w+) = /.exec(command)?.[1]);
  assert.deepEqual(named.sort(), Object.keys(options).sort());
});

test('through the sample of pgbouncer, timeouts that are off cause a warning, which the lines of the guide end', {
  skip,
}, async (t) => {
  const server = await startPostgres();
  t.after(() => server.stop());
  const url = new URL(`${server.url}/postgres`);
  const pgbouncer = await startPgbouncer(
    server.url,
    { ...sample(), admin_users: 'postgres' },
    await makeUserlist(server.url),
  );
  t.after(() => pgbouncer.stop());
  const folder = temporaryFolder(t);
  url.port = String(pgbouncer.port);
  url.password = ROLE_PASSWORD;
  const dropped = async () => {
    const served = await startServe({ cwd: folder.path, env: { DATABASE_URL: url.href } });
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    await served.stop();
    return jsonLines(served.logged()).find(({ msg }) => msg.startsWith('a pooler drops'))?.['settings'];
  };
  assert.deepEqual(await dropped(), [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'client_connection_check_interval',
  ]);
  for (const command of COMMANDS)
    await queryPostgres(`${server.url}/postgres`, command.replace('transactions_serving', 'postgres'));
  const [, reconnect = ''] = /run `([A-Z]+)` on pgbouncer's console/.exec(guide) ?? [];
  url.pathname = '/pgbouncer';
  await queryPostgres(url.href, reconnect);
  url.pathname = '/postgres';
  assert.equal(await dropped(), undefined);
});
