import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`show finds a reference and an order in all accounts, with changes and deliveries, on ${engine}`, async (t) => {
    const folder = temporaryFolder();
    t.after(folder.remove);
    const databaseUrl = engine === 'SQLite' ? `sqlite:${folder.path}/x.db` : await makeMigratedDatabase();
    const show = (...args: string[]) =>
      run(['show', ...args], { cwd: folder.path, env: { DATABASE_URL: databaseUrl } });
    const { store } = await openStore(databaseUrl, Date.now);
    const order = { merchantReference: 'order-1', status: 'pending', paidAtMs: null } as const;
    const first = transaction('store-1', 'pay-1', { ...order, createdAtMs: 1000 });
    await record(store, [
      first,
      transaction('store-1', 'pay-2', { ...order, createdAtMs: 2000 }),
      transaction('store-1', 'pay-3', { merchantReference: 'order-2' }),
      { ...transaction('store-2', 'own'), reference: 'order-1' },
      transaction('store-3', 'other'),
    ]);
    await record(store, [{ ...first, status: 'completed', paidAtMs: 3000 }]);
    assert.ok(await store.createWebhook(webhook(1, { account: 'store-1', createdAtMs: 0 }), 20, someEntry()));
    await store.storeProgress('store-1', idOf(1), 1, progress(2, { failed: [failure(1)] }));
    await store.close();

    const found = jsonLines((await show('order-1', '--json')).stdout);
    assert.deepEqual(
      found.map(({ account, reference }) => [account, reference]),
      [
        ['store-1', 'store-1.pay-2'],
        ['store-1', 'store-1.pay-1'],
        ['store-2', 'order-1'],
      ],
    );
    const { changes, deliveries } = found[1] as unknown as Record<string, Record<string, unknown>[]>;
    assert.deepEqual(
      changes?.map(({ sequence, type, previousStatus }) => [sequence, type, previousStatus]),
      [
        [1, 'transaction.pending', null],
        [4, 'transaction.completed', 'pending'],
      ],
    );
    assert.deepEqual(
      deliveries?.map(({ sequence, webhookId, outcome }) => [sequence, webhookId, outcome]),
      [
        [1, idOf(1), 'failed'],
        [4, idOf(1), 'waiting'],
      ],
    );
    assert.partialDeepStrictEqual(deliveries?.[0], { failure: { attempts: failure(1).attempts } });

    const { stdout } = await show('store-1.pay-1', '--account', 'store-1');
    assert.match(stdout, /^account +store-1\nreference +store-1\.pay-1\n/);
    assert.match(stdout, /^CHANGE +TYPE +RECORDED +ID\n1 +transaction\.pending +\S+Z +\S+\n4 /m);
    assert.match(stdout, new RegExp(`^1 +${idOf(1)} +failed: .*\n4 +${idOf(1)} +waiting `, 'm'));
    const nothing = await show('order-9');
    assert.deepEqual([nothing.status, nothing.stdout], [1, '']);
    assert.match(
      nothing.stderr,
      /No account has a transaction with the reference or merchantReference "order-9"/,
    );
    assert.equal((await show('order-1', '--account', 'store-3')).status, 1);
    assert.equal((await show('')).status, 2);
  });
