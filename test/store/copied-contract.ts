import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { recordHeld, recordOnce } from '../../src/ledger/record/record.ts';
import type { Following } from '../../src/operate/copy/copy.ts';
import type { CopyMark } from '../../src/operate/copy-mark.ts';
import { StoreRefused, StoreUnavailable } from '../../values/store-errors.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { someInstance } from '../rig/service/instances.ts';
import { someEntry } from '../rig/store/audit.ts';
import {
  assertRowsAtHeads,
  assertSameContents,
  assertVerified,
  asTarget,
  beforeTheMark,
  beside,
  type CopyRun,
  contentsOf,
  copyBetween,
  copyFailed,
  isCopied,
  openReader,
} from '../rig/store/copy.ts';
import { sealAll } from '../rig/store/seal.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';
import { useFull } from '../verify/full-database.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';
import { apiKey } from './api-keys-contract.ts';

async function markOf(url: string): Promise<CopyMark | undefined> {
  const reader = await openReader(url);
  return reader.readMark().finally(() => reader.close());
}

class Cut extends StoreUnavailable {
  constructor() {
    super('database_connection', 'the connection was cut');
  }
}

function roundsOf(count: number, happen: () => Promise<void>): Following {
  let rounds = 0;
  return {
    isStopped: () => rounds >= count,
    onBehind: () => {
      rounds++;
    },
    pause: async () => {
      await setImmediate();
      if (rounds < count) await happen();
    },
  };
}

export function copiedContract(
  name: string,
  makeSource: () => Promise<StoreHarness>,
  makeTarget: () => Promise<StoreHarness>,
  { histories = inTier({ short: 1, long: 2 }), cuts = inTier({ short: 3, long: 6 }) } = {},
): void {
  describe(`a copy from ${name}`, () => {
    let source: StoreHarness;
    let target: StoreHarness;
    beforeEach(async () => {
      [source, target] = [await makeSource(), await makeTarget()];
    });
    afterEach(async () => {
      await source.dispose();
      await target.dispose();
    });

    const copy = (run?: CopyRun) => copyBetween(source.url, target.url, run);

    const reopen = () => asTarget(source.url, (reopened) => reopened.unmark());

    const takeUp = () =>
      asTarget(target.url, (writer) => writer.mark({ state: 'copying', other: source.url, sinceMs: 0 }));

    const copyUntilCut = async (random: Random, use: () => Promise<void>) => {
      let left = random.integer(1, 80);
      const happen = async () => {
        if (left-- <= 0) throw new Cut();
        if (random.chance(0.1)) await use();
      };
      try {
        const { end } = await copy({
          following: random.chance(0.5) ? roundsOf(random.integer(1, 3), async () => {}) : null,
          through: (one) => ({
            source: beside(one.source, happen),
            target: beside(one.target, happen),
            targetStore: beside(one.targetStore, happen),
          }),
        });
        if (end === 'equal') await takeUp();
        return 'ended';
      } catch (error) {
        if (!(error instanceof Cut)) throw error;
        return 'cut';
      }
    };

    const checkPart = async () => {
      const [there, here] = [await contentsOf(source.url), await contentsOf(target.url)];
      assertRowsAtHeads(there, here);
      for (const [account, head] of Object.entries(here.heads))
        assert.ok(head <= (there.heads[account] ?? 0), `${account} ${head}`);
    };

    test('is equal to the source, wherever it was cut and resumed while the source is used', async (t) => {
      const random = new Random(seed);
      const use = await useFull((await source.open()) as VerifiedStore, random);
      let wasCut = 0;
      for (let history = 0; history < histories; history++) {
        for (let step = 0; step < 25; step++) await use();
        const isRare = () => wasCut <= history + 1;
        for (let tries = 0; tries < cuts || (isRare() && tries < 20 * cuts); tries++) {
          if ((await copyUntilCut(random, use)) === 'cut') wasCut++;
          await checkPart();
        }
        assert.equal((await copy()).end, 'equal');
        assertSameContents(await contentsOf(source.url), await contentsOf(target.url));
        await assertVerified(target.url);
        if (history + 1 < histories) await takeUp();
      }
      t.diagnostic(`${wasCut} copies were cut`);
      assert.ok(wasCut > histories);
    });

    test('does not begin while a service uses the target', async () => {
      await (await source.open()).record([transaction('store-1', 'before')]);
      await (await target.open()).noteInstance(someInstance('served'));
      await assert.rejects(copy(), copyFailed('A service uses the target'));
      assert.deepEqual((await contentsOf(target.url)).heads, {});
      await target.execute(`UPDATE instances SET seen_at_ms = seen_at_ms + ${23 * 3_600_000}`);
      assert.equal((await copy()).end, 'equal');
    });

    test('marks the source as moved: a running service acknowledges no write until the mark is removed', async () => {
      const store = await source.open();
      const account = 'store-1';
      const keyOf = (end: string) => apiKey(`key_000000000000000${end}`, { account });
      const [key, next, rolled] = [keyOf('a'), keyOf('b'), keyOf('c')];
      const endpoint = webhook(1, { account });
      const once = { key: 'once', fingerprint: '0'.repeat(64) };
      await record(store, [transaction(account, 'before'), pending(account, 'pending')]);
      await store.createApiKey(key, someEntry());
      await store.createWebhook(endpoint, 20, someEntry());
      assert.equal((await copy({ isMove: true })).end, 'equal');
      const before = await contentsOf(source.url);
      const roll = {
        account,
        id: 'key_000000000000000a',
        created: rolled,
        untilMs: 9e12,
        nowMs: 9,
      };
      const writes: Record<string, () => Promise<unknown>> = {
        record: () => record(store, [transaction(account, 'behind')]),
        'record, a new account': () => record(store, [transaction('store-9', 'behind')]),
        'record, completed': () => record(store, [completed(pending(account, 'pending'))]),
        ...(source.url.startsWith('postgres') && {
          recordHeld: () => recordHeld(store, transaction(account, 'held')),
        }),
        recordOnce: () => recordOnce(store, transaction(account, 'once'), once),
        createApiKey: () => store.createApiKey(next, someEntry()),
        rollApiKey: () => store.rollApiKey(roll, someEntry()),
        revokeApiKey: () => store.revokeApiKey(key.id, 9, someEntry()),
        touchApiKeys: () => store.touchApiKeys([{ account, id: key.id, usedAtMs: 9 }]),
        createWebhook: () => store.createWebhook(webhook(2, { account }), 20, someEntry()),
        replaceWebhook: () => store.replaceWebhook({ ...endpoint, version: 2 }, 'change', someEntry()),
        deleteWebhook: () => store.deleteWebhook(account, endpoint.id, someEntry()),
        leaseWebhooks: () => store.leaseWebhooks({ instance: 'a', rules: '', leaseMs: 6000 }),
      };
      for (const [name, write] of Object.entries(writes))
        await assert.rejects(
          write(),
          (error) => error instanceof StoreUnavailable && error.reason === 'moved',
          name,
        );
      for (const table of ['transactions', 'api_keys', 'webhook_endpoints'])
        if (!name.startsWith('Citus'))
          await assert.rejects(source.execute(`DELETE FROM ${table}`), /was moved/);
      assert.deepEqual(await contentsOf(source.url), before);
      assert.equal((await copy({ isMove: true })).end, 'equal');

      await reopen();
      for (const [name, write] of Object.entries(writes)) await assert.doesNotReject(write(), name);
    });

    test('copies recordings until the source is marked, and leaves the previous mark if the copy does not end', async () => {
      const store = await source.open();
      await record(store, [transaction('store-1', 'before')]);
      let recorded = 0;
      const through: CopyRun['through'] = (one) => ({
        source: beside(one.source, async (method) => {
          if (method !== 'readMark' || !(await isCopied(one.targetReader)) || recorded === 2) return;
          const key = `during-${++recorded}`;
          await recordOnce(store, transaction('store-1', key), { key, fingerprint: '0'.repeat(64) });
        }),
      });
      const fails = async (method: string) => {
        if (method === 'run') throw new Cut();
      };
      const withKey = beforeTheMark(() => store.createApiKey(apiKey('key_0000000000000001'), someEntry()));
      const cut: CopyRun['through'] = (one) => ({ ...withKey(one), target: beside(one.target, fails) });
      await assert.rejects(copy({ isMove: true, through: cut }), Cut);
      assert.equal(await markOf(source.url), undefined);
      await assert.rejects(target.open(), StoreRefused);
      assert.equal((await copy({ isMove: true, through })).end, 'equal');
      assert.equal(recorded, 2, 'when the copy began, and before the mark');
      assertSameContents(await contentsOf(source.url), await contentsOf(target.url));
      assert.equal((await markOf(source.url))?.state, 'moved');
      await reopen();
    });

    test('that was killed between its two marks ends when it is run again, and then compares the databases', async () => {
      await record(await source.open(), [transaction('store-1', 'before')]);
      const fails = async (method: string) => {
        if (method === 'unmark') throw new Cut();
      };
      const cut: CopyRun['through'] = (one) => ({ target: beside(one.target, fails) });
      await assert.rejects(copy({ isMove: true, through: cut }), Cut);
      assert.equal((await markOf(source.url))?.state, 'moved');
      await assert.rejects(target.open(), StoreRefused);
      assert.equal((await copy({ isMove: true })).end, 'equal');
      const again = await copy({ isMove: true });
      assert.ok(again.end === 'equal' && again.copied.changes === 0 && again.compared.changes === 1);
      await reopen();
    });

    test('refuses a source that was moved to another database, even during the copy', async () => {
      const store = await source.open();
      await record(store, [transaction('store-1', 'before')]);
      const markMoved = () =>
        asTarget(source.url, (writer) =>
          writer.mark({ state: 'moved', other: 'sqlite:/other.db', sinceMs: 7 }),
        );
      const refused = copyFailed('The source was moved to sqlite:/other.db,');
      await markMoved();
      await assert.rejects(copy({ isMove: true }), refused);
      assert.deepEqual((await contentsOf(target.url)).heads, {});
      await reopen();
      let isMarked = false;
      const through: CopyRun['through'] = (one) => ({
        targetStore: beside(one.targetStore, async () => {
          if (isMarked) return;
          isMarked = true;
          await markMoved();
        }),
      });
      await assert.rejects(copy({ isMove: true, through }), refused);
      assert.equal((await markOf(source.url))?.other, 'sqlite:/other.db');
      assert.equal((await copy()).end, 'equal');
      await reopen();
    });

    test('that has ended is no longer equal when one side has changes that the other lacks', async () => {
      await record(await source.open(), [transaction('store-1', 'before')]);
      assert.equal((await copy({ isMove: true })).end, 'equal');
      await record(await target.open(), [transaction('store-1', 'later'), transaction('store-2', 'later')]);
      const before = await contentsOf(target.url);
      await assert.rejects(
        copy({ isMove: true }),
        copyFailed('The source and the target differ by 2 changes.'),
      );
      assert.deepEqual(await contentsOf(target.url), before);
      assert.equal((await markOf(source.url))?.state, 'moved');
      assert.equal(await markOf(target.url), undefined);
      await reopen();
    });

    test('refuses an account whose erasure was interrupted, even if it began after everything was copied', async () => {
      const store = await source.open();
      await record(store, [transaction('store-1', 'before'), transaction('store-2', 'before')]);
      const close = () =>
        source.execute(`UPDATE accounts SET closed_at_sequence = head_sequence WHERE account = 'store-2'`);
      const refused = copyFailed('The account "store-2" of the source is being erased.');
      await close();
      await assert.rejects(copy({ isMove: true }), refused);
      await source.execute('UPDATE accounts SET closed_at_sequence = NULL');
      await assert.rejects(copy({ isMove: true, through: beforeTheMark(close) }), refused);
      assert.equal(await markOf(source.url), undefined);
      await assert.rejects(target.open(), StoreRefused);
    });

    test('that does not mark its source ends when the source records nothing for one round, and the target is marked until then', async () => {
      const store = await source.open();
      await store.record([transaction('store-1', 'before')]);
      let recorded = 0;
      const through: CopyRun['through'] = (one) => ({
        source: beside(one.source, async (method) => {
          if (method === 'readRecords' && (await isCopied(one.targetReader)))
            await store.record([transaction('store-1', `during-${recorded++}`)]);
        }),
      });
      const end = await copy({ through });
      assert.ok(end.end === 'source changed' && end.changes > 0 && recorded > 0, end.end);
      await assert.rejects(target.open(), StoreRefused);
      await checkPart();
      assert.equal((await copy()).end, 'equal');
      assertSameContents(await contentsOf(source.url), await contentsOf(target.url));
      await (await target.open()).ping();
    });

    test('refuses a target that has data, unless it is an unfinished copy of this source, or this source was copied from it', async () => {
      const store = await source.open();
      await record(store, [transaction('store-1', 'before')]);
      const other = await target.open();
      await other.createApiKey(apiKey('key_0000000000000001'), someEntry());
      const before = await contentsOf(target.url);
      await assert.rejects(copy({ isMove: true }), copyFailed('The target has data that is not from a copy'));
      assert.deepEqual(await contentsOf(target.url), before);
      await takeUp();
      await assert.rejects(copy({ sourceName: 'another' }), copyFailed('The target is a part of a copy of '));
      assert.equal((await copy({ isMove: true })).end, 'equal');
      const moved = await target.open();
      await record(moved, [transaction('store-1', 'later'), transaction('store-2', 'later')]);
      const key = apiKey('key_0000000000000002');
      await moved.createApiKey(key, someEntry());
      const back = await copyBetween(target.url, source.url, { isMove: true });
      assert.ok(back.end === 'equal' && back.copied.changes === 2);
      assertSameContents(await contentsOf(target.url), await contentsOf(source.url));
      await record(store, [transaction('store-1', 'last')]);
    });

    test('names a difference before it marks the source: a change that was altered after it was sealed or copied', async () => {
      const store = await source.open();
      await record(
        store,
        ['a', 'b', 'c'].map((name) => transaction('store-1', name)),
      );
      await record(store, [transaction('store-2', 'a')]);
      await sealAll(store, 'store-1');
      await source.execute(`UPDATE transactions SET amount_minor = 7 WHERE reference = 'store-1.b'`);
      const end = await copy({
        isMove: true,
        through: (one) => ({
          targetStore: beside(one.targetStore, async (method) => {
            if (method === 'readSeal')
              await source.execute(`UPDATE transactions SET amount_minor = 7 WHERE account = 'store-2'`);
          }),
        }),
      });
      assert.ok(end.end === 'contradiction', end.end);
      const { account, place } = end.contradiction;
      assert.deepEqual([account, place], ['store-2', 'transaction store-2.a']);
      await source.execute(`UPDATE transactions SET amount_minor = 1250 WHERE account = 'store-2'`);
      const sealed = await copy({ isMove: true });
      assert.ok(sealed.end === 'contradiction', sealed.end);
      assert.equal(sealed.contradiction.place, 'seal of change 3');
      assert.equal(await markOf(source.url), undefined);
    });
  });
}
