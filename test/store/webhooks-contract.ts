import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { SAMPLE } from '../rig/data/transactions.ts';
import { someEntry } from '../rig/store/audit.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';
import { leaseContract } from './webhook-lease-contract.ts';
import { webhookRacesContract } from './webhook-races-contract.ts';

const FAILED = failure(3, { nextAttemptAtMs: null });

const ALL = { after: null, limit: 1000 };

export function webhooksContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the webhooks on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);

    const create = async (...endpoints: ReturnType<typeof webhook>[]) => {
      for (const endpoint of endpoints)
        assert.equal(await store.createWebhook(endpoint, 20, someEntry()), true);
    };
    const change = (endpoint: WebhookEndpoint) => store.replaceWebhook(endpoint, 'change', someEntry());
    const replay = (endpoint: WebhookEndpoint) => store.replaceWebhook(endpoint, 'replay', someEntry());
    const stored = async (id = idOf(1), account = 'store-1') => {
      const { failureCount: _, ...endpoint } = (await store.findWebhook(account, id)) ?? { failureCount: 0 };
      return endpoint;
    };
    const failures = (account = 'store-1', id = idOf(1)) => store.listWebhookFailures(account, id, 0, 10);
    const sequences = async (...endpoint: Parameters<typeof failures>) =>
      (await failures(...endpoint)).map(({ sequence }) => sequence);

    test('are found and listed as they were stored, oldest first, only in their own account', async () => {
      const endpoints = [
        webhook(3, { createdAtMs: 1000 }),
        webhook(1, {
          createdAtMs: 2000,
          url: `https://example.com/größe?x='"\\${'a'.repeat(2000)}`,
          types: ['transaction.completed', 'transaction.pending'],
          label: `till "4", 'ünï' 😀`,
          ordered: true,
          previousSecret: { secret: `whsec_${'before'.padEnd(32, 'A')}`, untilMs: 9000 },
          disabled: { reason: 'gone', atMs: 3000 },
          version: 7,
          acknowledgedSequence: 9_007_199_254_740_991,
          failingSinceMs: 2500,
        }),
        webhook(2, { createdAtMs: 2000, types: [] }),
      ];
      const foreign = webhook(1, { account: 'store-2', label: 'foreign' });
      await create(...endpoints.toReversed(), foreign);
      const counted = endpoints.map((endpoint) => ({ ...endpoint, failureCount: 0 }));
      assert.deepEqual(await store.listWebhooks('store-1'), counted);
      assert.deepEqual(await store.listWebhooks('store-2'), [{ ...foreign, failureCount: 0 }]);
      assert.deepEqual(await store.listWebhooks('store'), []);
      for (const endpoint of counted)
        assert.deepEqual(await store.findWebhook('store-1', endpoint.id), endpoint);
      assert.equal((await store.findWebhook('store-2', idOf(1)))?.label, 'foreign');
      assert.equal(await store.findWebhook('store-2', idOf(2)), undefined);
    });

    test('are created once: an endpoint with an existing id is not stored, and leaves no entry in the audit trail', async () => {
      await create(webhook(1));
      const repeated = webhook(1, { secret: `whsec_${'other'.padEnd(32, 'A')}`, label: 'other' });
      assert.equal(await store.createWebhook(repeated, 20, someEntry()), false);
      assert.deepEqual(await stored(), webhook(1));
      assert.equal((await store.listAudit('store-1', null, 100)).length, 1);
    });

    test('are replaced only by the next version, and only in their own account', async () => {
      const foreign = webhook(1, { account: 'store-2' });
      await create(webhook(1, { failingSinceMs: 500 }), webhook(2), foreign);
      await store.storeProgress('store-1', idOf(1), 1, progress(9, { failingSinceMs: 600 }));
      const replaced = webhook(1, {
        url: 'https://example.com/other',
        types: ['transaction.completed'],
        label: 'new',
        ordered: true,
        secret: `whsec_${'new'.padEnd(32, 'A')}`,
        previousSecret: { secret: `whsec_${'old'.padEnd(32, 'A')}`, untilMs: 5000 },
        disabled: { reason: 'requested', atMs: 4000 },
        version: 2,
        acknowledgedSequence: 3,
        failingSinceMs: null,
      });
      for (const version of [1, 3]) assert.equal(await change({ ...replaced, version }), false);
      assert.equal(await change(replaced), true);
      assert.equal(await change(replaced), false);
      assert.deepEqual(await stored(), { ...replaced, acknowledgedSequence: 9, failingSinceMs: 600 });
      assert.deepEqual(await stored(idOf(1), 'store-2'), foreign);
      assert.deepEqual(await stored(idOf(2)), webhook(2));
      assert.equal(await change({ ...replaced, id: idOf(3) }), false);
    });

    test('continue at their position when they are enabled again, as if nothing had failed', async () => {
      await create(webhook(1, { acknowledgedSequence: 4, failingSinceMs: 600 }));
      const disabled = { reason: 'failing', atMs: 700 } as const;
      assert.equal(await store.disableWebhook('store-1', idOf(1), 1, disabled, someEntry()), true);
      const enabled = { ...webhook(1), label: 'again', version: 3, acknowledgedSequence: 0 };
      assert.equal(await change({ ...enabled, label: null, disabled, version: 3 }), true);
      assert.equal((await store.findWebhook('store-1', idOf(1)))?.failingSinceMs, 600);
      assert.equal(await change({ ...enabled, version: 4 }), true);
      assert.deepEqual(await stored(), { ...enabled, version: 4, acknowledgedSequence: 4 });
    });

    test('are replayed from a number, which removes the failures after it, only in their own account', async () => {
      await create(webhook(1), webhook(2), webhook(1, { account: 'store-2' }));
      const failed = [failure(2), failure(5), failure(6), failure(8)];
      for (const [account, id] of [
        ['store-1', idOf(1)],
        ['store-1', idOf(2)],
        ['store-2', idOf(1)],
      ] as const)
        await store.storeProgress(account, id, 1, progress(9, { failed, failingSinceMs: 600 }));
      const replayed = webhook(1, {
        version: 2,
        replayVersion: 2,
        acknowledgedSequence: 5,
        failingSinceMs: 600,
      });
      assert.equal(await replay({ ...replayed, version: 3 }), false);
      assert.deepEqual(await sequences(), [2, 5, 6, 8]);
      assert.equal(await replay(replayed), true);
      assert.deepEqual(await stored(), replayed);
      assert.deepEqual(await sequences(), [2, 5]);
      assert.equal(await replay({ ...replayed, acknowledgedSequence: 0 }), false);
      assert.deepEqual(await sequences(), [2, 5]);
      assert.deepEqual(await sequences('store-1', idOf(2)), [2, 5, 6, 8]);
      assert.deepEqual(await sequences('store-2'), [2, 5, 6, 8]);
      assert.equal((await store.findWebhook('store-2', idOf(1)))?.acknowledgedSequence, 9);
      assert.equal(await replay({ ...replayed, version: 3, acknowledgedSequence: 0 }), true);
      assert.deepEqual(await sequences(), []);
    });

    test('are counted and deleted with their failures, in their own account only', async () => {
      await create(webhook(1), webhook(2), webhook(1, { account: 'store-2' }));
      await store.storeProgress('store-1', idOf(1), 1, progress(3, { failed: [failure(1), failure(2)] }));
      await store.storeProgress('store-1', idOf(2), 1, progress(3, { failed: [failure(1)] }));
      await store.storeProgress('store-2', idOf(1), 1, progress(3, { failed: [failure(1)] }));
      const counts = (await store.listWebhooks('store-1')).map(({ failureCount }) => failureCount);
      assert.deepEqual([counts, (await store.findWebhook('store-1', idOf(1)))?.failureCount], [[2, 1], 2]);
      assert.equal(await store.deleteWebhook('store-1', idOf(1), someEntry()), true);
      assert.equal(await store.deleteWebhook('store-1', idOf(1), someEntry()), false);
      assert.equal(await store.findWebhook('store-1', idOf(1)), undefined);
      assert.deepEqual(await sequences(), []);
      assert.deepEqual(await sequences('store-1', idOf(2)), [1]);
      assert.deepEqual(await sequences('store-2'), [1]);
      assert.equal((await store.listWebhooks('store-2')).length, 1);
      assert.equal(await store.storeProgress('store-1', idOf(1), 1, progress(4)), false);
    });

    test('list their failures by number, page by page', async () => {
      await create(webhook(1), webhook(1, { account: 'store-2' }));
      const failed = [
        failure(30, { nextAttemptAtMs: 300, responseStatus: 500 }),
        failure(4, { nextAttemptAtMs: 900, responseStatus: null, error: 'it said "no", \\ größer, 😀' }),
        failure(100, { nextAttemptAtMs: 300 }),
        failure(7, { nextAttemptAtMs: null, attempts: 10 }),
      ];
      await store.storeProgress('store-1', idOf(1), 1, progress(100, { failed }));
      await store.storeProgress('store-2', idOf(1), 1, progress(100, { failed: [failure(1), failure(50)] }));
      const [thirty, four, hundred, seven] = failed;
      const page = (after: number, limit: number) =>
        store.listWebhookFailures('store-1', idOf(1), after, limit);
      assert.deepEqual(await page(0, 10), [four, seven, thirty, hundred]);
      assert.deepEqual(await page(0, 2), [four, seven]);
      assert.deepEqual(await page(7, 2), [thirty, hundred]);
      assert.deepEqual(await page(100, 2), []);
    });

    test('have failures that become due when a request retries them, only in their own account', async () => {
      await create(webhook(1), webhook(2), webhook(1, { account: 'store-2' }));
      const failed = [failure(3, { nextAttemptAtMs: null }), failure(5, { nextAttemptAtMs: 5000 })];
      const foreign = [...failed, failure(6)];
      await store.storeProgress('store-1', idOf(1), 1, progress(9, { failed }));
      await store.storeProgress('store-2', idOf(1), 1, progress(9, { failed: foreign }));
      assert.equal(await store.retryWebhookFailure('store-1', idOf(1), 3, 1234), true);
      assert.deepEqual(await failures(), [failure(3, { nextAttemptAtMs: 1234 }), failed[1]]);
      assert.equal((await store.findWebhook('store-1', idOf(1)))?.version, 2);
      for (const [account, id, sequence] of [
        ['store-1', idOf(1), 4],
        ['store-1', idOf(1), 6],
        ['store-1', idOf(2), 3],
        ['store-3', idOf(1), 3],
      ] as const)
        assert.equal(await store.retryWebhookFailure(account, id, sequence, 1), false);
      assert.equal((await store.findWebhook('store-1', idOf(1)))?.version, 2);
      assert.equal((await store.findWebhook('store-1', idOf(2)))?.version, 1);
      assert.equal((await store.findWebhook('store-2', idOf(1)))?.version, 1);
      assert.deepEqual(await failures('store-2'), foreign);
    });

    const of4 = (acknowledged: number, fields: Parameters<typeof progress>[1] = {}, version = 4) =>
      store.storeProgress('store-1', idOf(1), version, progress(acknowledged, fields));

    test('store progress with its failures, only in their own account', async () => {
      const foreign = webhook(1, { account: 'store-2', version: 4 });
      await create(webhook(1, { version: 4, acknowledgedSequence: 2 }), webhook(2, { version: 4 }), foreign);
      assert.equal(await of4(6, { failed: [failure(3), failure(4)], failingSinceMs: 50 }), true);
      assert.deepEqual(
        await stored(),
        webhook(1, { version: 4, acknowledgedSequence: 6, failingSinceMs: 50 }),
      );
      const again = failure(4, { attempts: 2, lastFailedAtMs: 5000, nextAttemptAtMs: 6000, error: 'later' });
      for (let count = 0; count < 2; count++) {
        assert.equal(await of4(5, { failed: [again, failure(5)], delivered: [3] }), true);
        assert.deepEqual(await stored(), webhook(1, { version: 4, acknowledgedSequence: 6 }));
        assert.deepEqual(await failures(), [again, failure(5)]);
      }
      assert.deepEqual(await stored(idOf(1), 'store-2'), foreign);
      assert.deepEqual(await stored(idOf(2)), webhook(2, { version: 4 }));
      assert.deepEqual(await sequences('store-2'), []);
      const removed = progress(8, { delivered: [4, 5] });
      assert.equal(await store.storeProgress('store-2', idOf(1), 4, removed), true);
      assert.deepEqual(await sequences(), [4, 5]);
      assert.equal(await of4(9, { delivered: [4, 5] }), true);
      assert.deepEqual(await sequences(), []);
    });

    test('keep a retry that was requested before a failed attempt is stored, but no other next attempt', async () => {
      await create(webhook(1));
      const failed = [3, 4, 5].map((sequence) => failure(sequence, { nextAttemptAtMs: 9000 }));
      const of = (version: number, fields: Parameters<typeof progress>[1]) =>
        store.storeProgress('store-1', idOf(1), version, progress(9, fields));
      assert.equal(await of(1, { failed }), true);
      assert.equal(await store.retryWebhookFailure('store-1', idOf(1), 3, 4000), true);
      const later = { attempts: 2, lastFailedAtMs: 5000 };
      const again = [
        failure(3, { ...later, nextAttemptAtMs: null }),
        failure(4, { ...later, nextAttemptAtMs: 8000 }),
        failure(5, { ...later, nextAttemptAtMs: null }),
        failure(6, { ...later, nextAttemptAtMs: null }),
      ];
      const due = (sequence: number, nextAttemptAtMs: number) =>
        failure(sequence, { ...later, nextAttemptAtMs });
      for (let count = 0; count < 2; count++) {
        assert.equal(await of(1, { failed: again }), true);
        const expected = [due(3, 5000), due(4, 8000), due(5, 9000), again[3]];
        assert.deepEqual(await failures(), expected);
      }
      assert.equal(await of(2, { failed: again }), true);
      assert.deepEqual(await failures(), again);
    });

    test('store no progress from before a replay or a restored backup', async () => {
      const foreign = webhook(1, { account: 'store-2', version: 4, acknowledgedSequence: 99 });
      await create(webhook(1, { version: 4, acknowledgedSequence: 20 }), foreign);
      const fields = { failed: [failure(25)], delivered: [22], failingSinceMs: 1 };
      assert.equal(await change(webhook(1, { version: 5, label: 'new' })), true);
      assert.equal(await of4(22, { after: 20, failed: [failure(22)] }), true);
      assert.deepEqual(await sequences(), [22]);
      assert.equal(await of4(30, { ...fields, after: 23 }), false);
      const replayed = webhook(1, { version: 6, replayVersion: 6, acknowledgedSequence: 22 });
      assert.equal(await replay(replayed), true);
      for (const version of [4, 5]) assert.equal(await of4(30, { ...fields, after: 22 }, version), false);
      assert.deepEqual(await stored(), replayed);
      assert.deepEqual(await sequences(), [22]);
      assert.equal(await of4(30, { ...fields, after: 22 }, 6), true);
      assert.deepEqual(await stored(), { ...replayed, acknowledgedSequence: 30, failingSinceMs: 1 });
      assert.deepEqual(await sequences(), [25]);
      const relabelled = { ...replayed, version: 7, replayVersion: 0 };
      assert.equal(await change(relabelled), true);
      assert.equal(((await stored()) as typeof replayed).replayVersion, 6);
      assert.equal(await of4(31, { after: 30 }, 6), true);
    });

    test('are listed as deliverable while they are enabled, page after page or by account', async () => {
      const accounts = Array.from({ length: 30 }, (_, index) => `store-${index}`);
      const endpoints = accounts.flatMap((account) => [
        webhook(1, { account, types: ['transaction.failed'], acknowledgedSequence: 5 }),
        webhook(2, { account, disabled: { reason: 'requested', atMs: 5 } }),
      ]);
      await create(...endpoints);
      assert.equal(await store.storeProgress('store-7', idOf(1), 1, progress(5, { failed: [FAILED] })), true);
      const enabled = endpoints
        .filter(({ disabled }) => disabled === null)
        .map((endpoint) => ({ ...endpoint, hasFailures: endpoint.account === 'store-7', isWatched: true }));
      const sorted = <Found extends { account: string }>(found: readonly Found[]) =>
        found.toSorted((a, b) => (a.account < b.account ? -1 : 1));
      assert.deepEqual(await store.listDeliverable(ALL), sorted(enabled));
      const servers = store.nodes?.() ?? [undefined];
      const limit = 7;
      const paged: typeof enabled = [];
      for (let after: (typeof enabled)[number] | null = null; ; ) {
        const page = { after, limit };
        const ofServers = await Promise.all(servers.map((server) => store.listDeliverable(page, server)));
        for (const found of ofServers) assert.ok(found.length <= limit);
        paged.push(...sorted(ofServers.flat()).slice(0, limit));
        if (ofServers.flat().length < limit) break;
        after = paged.at(-1) ?? null;
      }
      assert.deepEqual(paged, sorted(enabled));
      const some = enabled.filter(({ account }) => ['store-7', 'store-8'].includes(account));
      assert.deepEqual(
        sorted(await store.listDeliverable({ accounts: ['store-7', 'store-8', 'nobody'] })),
        sorted(some),
      );
    });

    test('are disabled only for their version and only in their own account, and are then not deliverable', async () => {
      await create(webhook(1, { acknowledgedSequence: 3 }), webhook(1, { account: 'store-2' }));
      const disabled = { reason: 'failing', atMs: 5000 } as const;
      assert.equal(await store.disableWebhook('store-1', idOf(1), 2, disabled, someEntry()), false);
      assert.equal(await store.disableWebhook('store-1', idOf(2), 1, disabled, someEntry()), false);
      assert.equal(await store.disableWebhook('store-1', idOf(1), 1, disabled, someEntry()), true);
      assert.deepEqual(await stored(), webhook(1, { disabled, version: 2, acknowledgedSequence: 3 }));
      assert.equal(await store.disableWebhook('store-1', idOf(1), 1, disabled, someEntry()), false);
      const [deliverable, ...others] = await store.listDeliverable(ALL);
      assert.deepEqual(deliverable, {
        ...webhook(1, { account: 'store-2' }),
        hasFailures: false,
        isWatched: true,
      });
      assert.deepEqual(others, []);
    });

    test('that a request changed, or whose accounts have new changes, are listed once as moved, and no others', async () => {
      for (const account of ['store-1', 'store-2'])
        await store.createWebhook(webhook(1, { account }), 20, someEntry());
      let { mark, accounts } = await store.listMovedAccounts(null);
      assert.equal(accounts, null);
      if (mark === null) return;
      const other = await harness.open();
      const movedBy = async (work: () => Promise<unknown>) => {
        await work();
        ({ mark, accounts } = await store.listMovedAccounts(mark));
        const moved = accounts?.toSorted();
        ({ mark, accounts } = await store.listMovedAccounts(mark));
        assert.deepEqual(accounts, []);
        return moved;
      };
      const recorded = (account: string, status = 'pending') =>
        other.record([{ ...SAMPLE, account, status, paidAtMs: null }]);
      const failed = progress(5, { failed: [FAILED] });
      assert.deepEqual(await movedBy(() => recorded('store-1')), ['store-1']);
      assert.deepEqual(await movedBy(() => recorded('store-1')), [], 'nothing changed');
      assert.deepEqual(await movedBy(() => recorded('store-1', 'failed')), ['store-1']);
      assert.deepEqual(await movedBy(() => recorded('store-3')), []);
      assert.deepEqual(await movedBy(() => other.storeProgress('store-1', idOf(1), 1, failed)), []);
      for (const change of [
        () => other.retryWebhookFailure('store-1', idOf(1), FAILED.sequence, 1),
        () => other.replaceWebhook(webhook(1, { version: 3 }), 'change', someEntry()),
        () => other.disableWebhook('store-1', idOf(1), 3, { reason: 'gone', atMs: 5 }, someEntry()),
        () => other.deleteWebhook('store-1', idOf(1), someEntry()),
        () => other.createWebhook(webhook(2), 20, someEntry()),
      ])
        assert.deepEqual(await movedBy(async () => assert.equal(await change(), true)), ['store-1']);
      await movedBy(() => store.watchAccounts(['store-3', 'store-4']));
      const both = () => Promise.all([recorded('store-3', 'failed'), recorded('store-2')]);
      assert.deepEqual(await movedBy(both), ['store-2', 'store-3']);
    });

    webhookRacesContract(store, harness);
    leaseContract(store, harness);
  });
}
