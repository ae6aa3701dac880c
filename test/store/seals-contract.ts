import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { type Change, formatChange } from '../../src/ledger/changes/change.ts';
import { NO_SEAL, sealedText } from '../../src/ledger/seals/seal.ts';
import type { Store } from '../../src/store/store.ts';
import { recordMarch } from '../archive/march.ts';
import { ALL_CHANGES, changesOf } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { beside } from '../rig/store/copy.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import { sealAll } from '../rig/store/seal.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';

const ACCOUNT = 'store-1';
async function expectedSeal(store: Store, account: string): Promise<string> {
  let seal: Buffer = Buffer.alloc(32);
  for (const change of await changesOf(store, account)) {
    const { sequence, id, previousStatus, recordedAt, transaction: row } = formatChange(account, change);
    const { reference, merchantReference, amount, currencyCode, paidAt, createdAt } = row;
    const first = [sequence, id, row.status, previousStatus, recordedAt];
    const rest = [reference, merchantReference, amount, currencyCode, paidAt, createdAt, null];
    const text = JSON.stringify([...first, ...rest]);
    seal = createHash('sha256').update(seal).update(text).digest();
  }
  return seal.toString('hex');
}

const MOVED = "account = 'elsewhere'";
const ALTERATIONS: readonly string[] = [
  "merchant_reference = 'another'",
  'merchant_reference = NULL',
  'amount_minor = amount_minor + 1',
  "currency_code = CASE currency_code WHEN 'EUR' THEN 'CHF' ELSE 'EUR' END",
  "status = CASE status WHEN 'completed' THEN 'refunded' ELSE status END",
  'paid_at_ms = paid_at_ms + 1',
  'created_at_ms = created_at_ms + 1',
  "reference = reference || 'x'",
  'pending_recorded_at_ms = pending_recorded_at_ms - 1',
  'final_recorded_at_ms = final_recorded_at_ms - 1',
  "related_to = 'another'",
  'pending_nonce = pending_nonce + 1',
  'final_nonce = final_nonce + 1',
  'pending_sequence = CASE WHEN final_sequence IS NULL THEN pending_sequence END, pending_nonce = CASE WHEN final_sequence IS NULL THEN pending_nonce END, pending_recorded_at_ms = CASE WHEN final_sequence IS NULL THEN pending_recorded_at_ms END',
  MOVED,
  'removed',
];

export function sealsContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`seals on ${name}`, () => {
    const { harness, store } = eachHarness(makeHarness);
    let random: Random;
    beforeEach(() => {
      random = new Random(seed);
    });

    const sealsFound = async (account = ACCOUNT) => {
      const { disagreements } = await verifyDatabase(harness.url, { account });
      return disagreements.filter(({ check }) => check === 'seals');
    };

    test('accounts with unsealed changes are listed page by page, in the order of accounts', async () => {
      const accounts = ['a', 'B', 'c-1', 'c.1', 'd'];
      for (const [index, account] of accounts.entries())
        await record(
          store,
          Array.from({ length: index + 1 }, (_, nth) => transaction(account, `r${nth}`)),
        );
      await sealAll(store, 'c-1');
      for (const limit of [1, 2, 4, 5, 10]) {
        const found: unknown[] = [];
        let pages = 0;
        for (let last: string | null = ''; last !== null; pages++) {
          const page = await store.listUnsealed(last, limit);
          assert.ok(page.accounts.length <= limit);
          found.push(...page.accounts.map(({ account, changes }) => [account, changes]));
          last = page.last;
        }
        assert.ok(pages <= accounts.length / limit + 2);
        assert.deepEqual(found, [
          ['B', 2],
          ['a', 1],
          ['c.1', 4],
          ['d', 5],
        ]);
      }
    });

    test('of several concurrent instances, exactly one stores each step', async () => {
      await recordMarch(store, ACCOUNT, inTier({ short: 150, long: 300 }));
      const others = [store, await harness.open(), await harness.open()];
      const head = (await changesOf(store, ACCOUNT)).length;
      while ((await store.readSeal(ACCOUNT)).sequence < head)
        await Promise.all(others.map((other) => sealAll(other, ACCOUNT, random.integer(1, 90))));
      assert.equal((await store.readSeal(ACCOUNT)).seal, await expectedSeal(store, ACCOUNT));
      assert.deepEqual(await sealsFound(), []);
    });

    test('a step from an earlier seal, or of a replaced history, is not stored', async () => {
      await recordMarch(store, ACCOUNT, 80);
      const from = await store.readSeal(ACCOUNT);
      const step = await store.sealChanges(ACCOUNT, from, 70);
      const { head } = step;
      assert.equal(await store.storeSeals(ACCOUNT, from, { ...step, head: { ...head, nonce: 1 } }), false);
      assert.equal(await store.storeSeals(ACCOUNT, from, step), true);
      assert.equal(await store.storeSeals(ACCOUNT, from, step), false);
      const second = await store.sealChanges(ACCOUNT, head, 5);
      const replaced = { ...second, head: { ...second.head, nonce: 1 } };
      assert.equal(await store.storeSeals(ACCOUNT, head, replaced), false);
      const next = await store.sealChanges(ACCOUNT, { ...head, nonce: 1 }, 5).catch((error) => error.message);
      assert.match(next, /^the change 70 of the account store-1 is not the one that was sealed$/);
      assert.deepEqual(await sealsFound(), []);
    });

    test('a step that ends after the account was erased stores nothing', async () => {
      await recordMarch(store, ACCOUNT, 10);
      const from = await store.readSeal(ACCOUNT);
      const step = await store.sealChanges(ACCOUNT, from, 10);
      await harness.execute(`DELETE FROM transactions WHERE account = '${ACCOUNT}'`);
      await harness.execute(`DELETE FROM accounts WHERE account = '${ACCOUNT}'`);
      assert.equal(await store.storeSeals(ACCOUNT, from, step), false);
      await harness.execute(
        `INSERT INTO seals (account, sequence, seal, digests) VALUES ('${ACCOUNT}', 0, '${NO_SEAL}', '')`,
      );
    });

    test('verify names each sealed change that was altered by SQL, and no other', async () => {
      const alterations = ALTERATIONS.filter((one) => name !== 'Citus' || one !== MOVED);
      for (let round = 0; round < inTier({ short: 2, long: 56 }); round++) {
        const account = `store-${round}`;
        await recordMarch(store, account, 140);
        await sealAll(store, account);
        assert.deepEqual(await sealsFound(account), []);
        const before = new Map((await changesOf(store, account)).map((one) => [one.sequence, one]));
        const altered = new Set(Array.from({ length: 20 }, () => random.integer(0, 139)));
        const run: string[] = [];
        for (const index of altered) {
          const where = `account = '${account}' AND reference = '${account}.${index}'`;
          const alteration = random.pick(alterations);
          run.push(alteration);
          await harness.execute(
            alteration === 'removed'
              ? `DELETE FROM transactions WHERE ${where}`
              : `UPDATE transactions SET ${alteration} WHERE ${where}`,
          );
        }
        await harness.execute(`DELETE FROM transactions WHERE account = 'elsewhere'`);
        const { changes } = await store.listChanges({ account, after: 0, limit: ALL_CHANGES });
        const after = new Map(changes.map((one) => [one.sequence, one]));
        const differing = [...before]
          .filter(([sequence, one]) => {
            const now = after.get(sequence);
            return now === undefined || textOf(account, now) !== textOf(account, one);
          })
          .map(([sequence]) => sequence);
        const { disagreements } = await verifyDatabase(harness.url, { account });
        const named = new Set(
          disagreements.flatMap(({ check, place }) => {
            const [, first, last = first] = /^sequence numbers? (\d+)(?: to (\d+))?/.exec(place) ?? [];
            return check !== 'seals' && check !== 'numbers' ? [] : sequencesFrom(Number(first), Number(last));
          }),
        );
        assert.deepEqual([...named].sort(ascending), differing, run.join('\n'));
      }
    });

    test('verify finds nothing wrong if a service begins to seal between two of its reads', async () => {
      await recordMarch(store, ACCOUNT, 80);
      const { lines, verified } = await verifyDatabase(harness.url, {
        account: ACCOUNT,
        through: (reader) =>
          beside(reader, async (method) => {
            if (method === 'readSealBlocks') await sealAll(store, ACCOUNT);
          }),
      });
      assert.deepEqual(lines, []);
      assert.ok(verified.sealedChanges > 80);
    });
  });
}

const textOf = (account: string, change: Change) => sealedText(formatChange(account, change));
const ascending = (one: number, other: number) => one - other;
const sequencesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
