import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { onCitus } from '../rig/database/citus.ts';
import { makeFaultyCluster } from '../rig/database/citus-faults.ts';
import { until } from '../rig/run/give-up.ts';
import { buildTestApp, type TestApp, type TestResponse, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';
import { someExport } from '../verify/healthy-database.ts';

const TIMEOUT_MS = 10_000;
const SICK = 60;
const ROUNDS = 3;
const ALL = { after: null, limit: 1000 };

onCitus(
  'a worker that fails',
  () => {
    let cluster: Awaited<ReturnType<typeof makeFaultyCluster>>;
    let store: Store;
    let app: TestApp;
    let operator: TestOperatorApp;
    let behind: string[];
    let beside: string[];
    const keys = new Map<string, string>();

    before(async () => {
      cluster = await makeFaultyCluster();
      behind = cluster.behind.slice(0, SICK);
      beside = cluster.beside.slice(0, SICK);
      ({ store } = await openStore(cluster.url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 }));
      const config = { ...testConfig, requestTimeoutMs: TIMEOUT_MS };
      app = await buildTestApp({ store, config });
      operator = await buildTestOperatorApp(store, app.clock, config);
      const accounts = [...behind, ...beside];
      await record(
        store,
        accounts.map((account) => transaction(account, 'first')),
      );
      for (const account of accounts) keys.set(account, await app.makeKey(account));
    });
    after(async () => {
      await store?.close();
      await cluster?.close();
    });

    const list = (account: string) => app.send('/v1/transactions', { key: keys.get(account) as string });
    const listAll = (accounts: readonly string[]) => Promise.all(accounts.map(list));
    const put = (account: string, name: string) => {
      const { reference, account: _, ...fields } = transaction(account, name, { status: 'pending' });
      return operator.send(`/v1/accounts/${account}/transactions/${reference}`, {
        method: 'PUT',
        body: {
          status: fields.status,
          amount: '12.50',
          currencyCode: fields.currencyCode,
          createdAt: new Date(fields.createdAtMs).toISOString(),
        },
      });
    };
    const statuses = (responses: readonly TestResponse[]) => [
      ...new Set(responses.map(({ status }) => status)),
    ];

    const checkOthers = async (name: string) => {
      const sick = listAll(behind);
      const sickRecordings = Promise.all(behind.slice(0, 5).map((account) => put(account, name)));
      for (let round = 0; round < ROUNDS; round++) assert.deepEqual(statuses(await listAll(beside)), [200]);
      assert.deepEqual(statuses(await Promise.all(beside.map((account) => put(account, name)))), [201]);
      const heads = await store.readHeads([...behind, ...beside]);
      assert.deepEqual([...heads.keys()].sort(), beside.toSorted());
      assert.equal((await app.send('/readyz')).status, 200);
      const key = await app.makeKey('acct-new');
      assert.equal(typeof key, 'string');
      const [made] = await store.listApiKeys('acct-new', null, 100);
      assert.equal((await store.revokeApiKey(made?.id as string, 1, someEntry()))?.revokedAtMs, 1);
      await checkBackground(name);
      const refused = await sick;
      assert.deepEqual(statuses(refused), [503]);
      for (const { headers } of refused) assert.equal(headers['retry-after'], '1');
      assert.deepEqual(statuses(await sickRecordings), [503]);
    };

    const checkBackground = async (name: string) => {
      const [account] = beside as [string];
      const [sickServer, server] = [behind[0], account].map((one) => store.nodeOf?.(one as string));
      assert.deepEqual(store.nodes?.().toSorted(), [sickServer, server].sort());
      const created = someExport(`exp_${name.padEnd(16, '0')}`, { account, startedAtMs: 1000 });
      assert.ok(await store.createExport(created, { expiredMs: 0, perAccount: 10 }));
      assert.equal((await store.findExport(account, created.id))?.id, created.id);
      await assert.rejects(store.removeExpiredExports(2000), StoreUnavailable);
      const endpoint = webhook(1, { id: `we_${name.padEnd(16, '0')}`, account });
      assert.ok(await store.createWebhook(endpoint, 20, someEntry(account)));
      const ids = async () => (await store.listDeliverable(ALL, server)).map(({ id }) => id);
      assert.ok((await ids()).includes(endpoint.id));
      await store.replaceWebhook(
        { ...endpoint, version: 2, disabled: { reason: 'requested', atMs: 1 } },
        'change',
        someEntry(),
      );
      assert.ok(!(await ids()).includes(endpoint.id));
      await assert.rejects(store.listDeliverable(ALL, sickServer), StoreUnavailable);
    };

    const untilAllAnswer = () =>
      until(async () => {
        const found = statuses(await listAll(behind));
        assert.ok(
          found.every((status) => status === 200 || status === 503),
          String(found),
        );
        return found.length === 1 && found[0] === 200;
      });

    for (const [name, fault] of [
      ['killed', { reset: true }],
      ['frozen', { blackHole: true }],
    ] as const)
      test(`${name}: its accounts get 503; others are listed and recorded, keys are created, and it is used again when it responds`, async () => {
        cluster.proxy.setFault(fault);
        try {
          await checkOthers(name);
        } finally {
          cluster.proxy.setFault({});
        }
        await untilAllAnswer();
        assert.deepEqual(statuses(await listAll(beside)), [200]);
        await until(async () => {
          const found = statuses(await Promise.all(behind.map((account) => put(account, `${name}-again`))));
          return found.every((status) => status === 200 || status === 201);
        });
      });
  },
  2,
);
