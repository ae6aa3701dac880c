import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { reportCopied } from '../../src/cli/operator/copy/copy-report.ts';
import type { Behind } from '../../src/operate/copy/follow-source.ts';
import type { Store } from '../../src/store/store.ts';
import { transaction } from '../rig/data/transactions.ts';
import { beside, type CopyRun, contentsOf, copyBetween } from '../rig/store/copy.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { recordHealthy, type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';

/** The reads that compare and verify an account. */
const READS = ['readRows', 'readStoredTotals'];

const MANY = Array.from({ length: 12 }, (_, index) => `many-${index}`);

/** What a copy does after a stop signal is only what changed after it was checked. */
export function checkWhileFollowingContract(
  name: string,
  makeSource: () => Promise<StoreHarness>,
  makeTarget: () => Promise<StoreHarness>,
): void {
  describe(`a copy from ${name} that follows`, () => {
    let source: StoreHarness;
    let target: StoreHarness;
    let store: Store;
    let isStopped: boolean;
    /** The accounts that were read after the stop signal. */
    let readAtEnd: Set<string>;
    beforeEach(async () => {
      [source, target] = [await makeSource(), await makeTarget()];
      store = await source.open();
      await recordHealthy(store as VerifiedStore);
      for (const account of MANY) await store.recordTransactions([transaction(account, 'one')]);
      [isStopped, readAtEnd] = [false, new Set()];
    });
    afterEach(async () => {
      await source.dispose();
      await target.dispose();
    });

    const noting = <Reader extends object>(reader: Reader): Reader =>
      new Proxy(reader, {
        get: (of, method) => {
          const value = Reflect.get(of, method, of);
          if (typeof value !== 'function') return value;
          return (...values: unknown[]) => {
            const account = values.find((one) => typeof one === 'string');
            if (isStopped && READS.includes(String(method)) && account !== undefined) readAtEnd.add(account);
            return value.apply(of, values);
          };
        },
      });

    /** Follows, and does one step after the other, each in the first pause in which it can be done. */
    const follow = (
      steps: { when(behind: Behind): boolean; step(): Promise<unknown> }[],
      { beforeCheck, ...run }: CopyRun & { beforeCheck?: () => Promise<void> } = {},
    ) => {
      let schemaReads = 0;
      const through = async (method: string) => {
        // The copy begins with the first one, and checking while it follows with the second one.
        if (method === 'checkSchema' && ++schemaReads === 2) await beforeCheck?.();
      };
      let last: Behind | undefined;
      return copyBetween(source.url, target.url, {
        ...run,
        through: (one) => ({
          source: noting(one.source),
          targetReader: beside(noting(one.targetReader), through),
        }),
        following: {
          isStopped: () => isStopped,
          onBehind: (behind) => {
            last = behind;
          },
          pause: async () => {
            await setImmediate();
            if (last === undefined || steps[0]?.when(last) !== true) return;
            last = undefined;
            await steps.shift()?.step();
          },
        },
      });
    };

    const isCompared = ({ compared }: Behind) =>
      compared.of > MANY.length && compared.accounts === compared.of;
    const isBehind = ({ changes }: Behind) => changes > 0;
    const stop = async () => {
      isStopped = true;
    };
    const change = () => store.recordTransactions([transaction('many-3', 'two'), transaction('new', 'one')]);

    const checkEnd = async (end: Awaited<ReturnType<typeof follow>>) => {
      assert.ok(end.end === 'equal', end.end);
      const { verified, lines } = await verifyDatabase(target.url);
      // The indexes of the target are left to verify.
      assert.deepEqual([end.verified, lines], [{ ...verified, indexes: 0 }, []]);
      const contents = await contentsOf(target.url);
      assert.deepEqual(contents, await contentsOf(source.url));
      const rows = Object.values(contents.rows);
      const { compared, comparedWhileFollowing: earlier } = end;
      assert.deepEqual(
        [
          compared.accounts + (earlier?.accounts ?? 0),
          compared.transactions + (earlier?.transactions ?? 0),
          compared.accounts,
        ],
        [rows.length, rows.flat().length, readAtEnd.size],
      );
    };

    test('reads no account again that is compared when it is stopped', async () => {
      await checkEnd(await follow([{ when: isCompared, step: stop }]));
      assert.deepEqual([...readAtEnd], []);
    });

    test('reads only the accounts again that changed after they were compared', async () => {
      const steps = [
        { when: isCompared, step: change },
        { when: isBehind, step: stop },
      ];
      await checkEnd(await follow(steps));
      assert.deepEqual([...readAtEnd].sort(), ['many-3', 'new']);
    });

    test('compares every account if it is stopped at once', async () => {
      await stop();
      await checkEnd(await follow([]));
      assert.ok(MANY.every((account) => readAtEnd.has(account)));
    });

    test('does not say that an account is equal whose row SQL has changed since it was compared, but when it was equal', async () => {
      let nowMs = Date.UTC(2026, 5, 15, 12);
      const plant = async () => {
        await source.execute(`UPDATE transactions SET amount_minor = 7 WHERE account = 'many-3'`);
        nowMs += 60_000;
        await stop();
      };
      const end = await follow([{ when: isCompared, step: plant }], { now: () => nowMs });
      assert.ok(end.end === 'equal', end.end);
      const { accounts, transactions, sinceMs } = end.comparedWhileFollowing ?? {};
      const all = Object.values((await contentsOf(source.url)).rows);
      assert.deepEqual([accounts, transactions, sinceMs], [all.length, all.flat().length, nowMs - 60_000]);
      assert.deepEqual(end.compared, { accounts: 0, transactions: 0 });
      const [, ...lines] = reportCopied(end, { source: 'a', target: 'b' }, 'text');
      assert.match(lines[0] ?? '', /^Compared now, and equal: 0 accounts, 0 transactions, \d+ keys, /);
      assert.deepEqual(lines.slice(1), [
        `Compared while following, since 2026-06-15T12:00:00.000Z, and equal then: ${accounts} accounts, ${transactions} transactions. No change of these accounts was recorded since.`,
        'No disagreement of the target was found.',
      ]);
      // A copy without following compares every row of both.
      const again = await copyBetween(source.url, target.url);
      assert.ok(again.end === 'contradictions', again.end);
      assert.deepEqual(
        again.contradictions.kept.map(({ account, source: has }) => [account, has]),
        [['many-3', 'amountMinor 7']],
      );
    });

    test('finds what contradicts in an account that changed after it was compared', async () => {
      const plant = async () => {
        await target.execute(`UPDATE transactions SET amount_minor = 7 WHERE account = 'many-3'`);
        await change();
      };
      const end = await follow([
        { when: isCompared, step: plant },
        { when: isBehind, step: stop },
      ]);
      assert.ok(end.end === 'contradictions', end.end);
      assert.deepEqual(end.contradictions.kept, [
        {
          account: 'many-3',
          place: 'transaction many-3.one',
          source: 'amountMinor 1250',
          target: 'amountMinor 7',
        },
      ]);
    });

    test('ends at what contradicts without a stop signal', async () => {
      const plant = () => target.execute(`UPDATE transactions SET amount_minor = 7 WHERE account = 'many-9'`);
      const end = await follow([], { beforeCheck: plant });
      assert.ok(end.end === 'contradictions', end.end);
      assert.deepEqual(
        end.contradictions.kept.map(({ account, target: has }) => [account, has]),
        [['many-9', 'amountMinor 7']],
      );
      assert.equal(isStopped, false);
    });

    test('ends at a disagreement of the target without a stop signal, and reports it', async () => {
      const reported: (string | null)[] = [];
      const plant = () => target.execute(`UPDATE daily_totals SET count = 9 WHERE account = 'many-9'`);
      const end = await follow([], {
        beforeCheck: plant,
        onDisagreement: async ({ account, check }) => {
          reported.push(`${account} ${check}`);
        },
      });
      assert.ok(end.end === 'disagreements', end.end);
      assert.equal(end.count, reported.length);
      assert.deepEqual([...new Set(reported)], ['many-9 totals']);
      assert.equal(isStopped, false);
    });
  });
}
