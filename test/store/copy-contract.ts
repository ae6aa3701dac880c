import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { NO_SEAL } from '../../src/ledger/seals/seal.ts';
import { type AccountHead, type CopyReader, LAST_ACCOUNT } from '../../src/operate/copy/copy-reader.ts';
import type { ChangeChunk, CopyTarget } from '../../src/operate/copy/copy-target.ts';
import { readAllRows, type StoredRow } from '../../src/operate/stored-rows.ts';
import { openCopyTarget, openStoreWithoutMigrating } from '../../src/store/open-store.ts';
import { StoreRefused, StoreUnavailable } from '../../values/store-errors.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { DAY, record, SAMPLE, transaction } from '../rig/data/transactions.ts';
import { someEntry } from '../rig/store/audit.ts';
import { contentsOf, copyFailed, openReader } from '../rig/store/copy.ts';
import { sealAll } from '../rig/store/seal.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';
import { apiKey } from './api-keys-contract.ts';

const { account: _, ...pendingSample } = SAMPLE;

const stored = (reference: string, fields: Partial<StoredRow>): StoredRow => ({
  ...pendingSample,
  reference,
  pendingSequence: null,
  pendingRecordedAtMs: null,
  pendingNonce: null,
  finalSequence: null,
  finalRecordedAtMs: null,
  finalNonce: null,
  ...fields,
});

export const isPending = (reference: string, sequence: number, fields: Partial<StoredRow> = {}) =>
  stored(reference, {
    pendingSequence: sequence,
    pendingRecordedAtMs: 1000 + sequence,
    pendingNonce: sequence,
    ...fields,
  });

export const isFinal = (row: StoredRow, sequence: number, fields: Partial<StoredRow> = {}): StoredRow => ({
  ...row,
  status: 'completed',
  paidAtMs: DAY('2026-03-02'),
  finalSequence: sequence,
  finalRecordedAtMs: 1000 + sequence,
  finalNonce: sequence,
  ...fields,
});

export const part = (account: string, after: number, upTo: number, ...rows: StoredRow[]): ChangeChunk => ({
  ...{ account, after, upTo, rows },
  // In these tests, the nonce of a change is its number.
  afterNonce: after || undefined,
});

const byReference = (left: StoredRow, right: StoredRow) => (left.reference < right.reference ? -1 : 1);

export function copyContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`the reads of a copy from ${name}`, () => {
    let harness: StoreHarness;
    let store: VerifiedStore;
    let reader: CopyReader;
    beforeEach(async () => {
      harness = await makeHarness();
      store = (await harness.open()) as VerifiedStore;
      reader = await openReader(harness.url);
    });
    afterEach(async () => {
      await reader.close();
      await harness.dispose();
    });

    test('have the heads of all accounts with their seals, in byte order, in pages', async () => {
      for (const account of ['b', 'B', 'a-1', 'a.1', 'a', '0'])
        await record(store, [transaction(account, '1'), transaction(account, '2')]);
      await record(store, [transaction('a', '3')]);
      const all = await reader.listHeads('', LAST_ACCOUNT, 100);
      assert.deepEqual(
        all.map(({ account, head }) => `${account} ${head}`),
        ['0 2', 'B 2', 'a 3', 'a-1 2', 'a.1 2', 'b 2'],
      );
      assert.deepEqual(
        all.map(({ sealedSequence, seal }) => `${sealedSequence} ${seal}`),
        all.map(() => `0 ${NO_SEAL}`),
      );
      await sealAll(store, 'b');
      const { sequence, seal } = await store.readSeal('b');
      const [b] = (await reader.listHeads('a.1', LAST_ACCOUNT, 1)) as [AccountHead];
      assert.deepEqual([b.sealedSequence, b.seal, sequence], [2, seal, 2]);
      assert.deepEqual(await reader.listHeads('B', LAST_ACCOUNT, 2), all.slice(2, 4));
      assert.deepEqual(await reader.listHeads('b', LAST_ACCOUNT, 2), []);
    });

    test('have each transaction with a change in a range once, in its current state', async () => {
      const first = pending('store-1', 'first');
      const second = pending('store-1', 'second');
      await record(store, [first, second, transaction('store-1', 'third')]);
      await record(store, [completed(first)]);
      await record(store, [pending('store-1', 'fifth'), pending('store-2', 'other')]);
      await record(store, [completed(second)]);
      const { rows } = await contentsOf(harness.url);
      const all = rows['store-1'] as StoredRow[];
      for (let after = 0; after <= 6; after++)
        for (let upTo = after + 1; upTo <= 6; upTo++) {
          const isIn = (sequence: number | null) => sequence !== null && sequence > after && sequence <= upTo;
          const expected = all.filter((row) => isIn(row.pendingSequence) || isIn(row.finalSequence));
          const [found = []] = await reader.readChanges([{ account: 'store-1', after, upTo }]);
          assert.deepEqual(found.toSorted(byReference), expected.toSorted(byReference), `${after} ${upTo}`);
        }
      const both = await reader.readChanges([
        { account: 'store-2', after: 0, upTo: 1 },
        { account: 'store-1', after: 2, upTo: 3 },
      ]);
      assert.deepEqual(
        both.map((found) => found.map(({ reference }) => reference)),
        [['store-2.other'], ['store-1.third']],
      );
    });
  });

  describe(`the writes of a copy to ${name}`, () => {
    let harness: StoreHarness;
    let store: VerifiedStore;
    let reader: CopyReader;
    let target: CopyTarget;
    beforeEach(async () => {
      harness = await makeHarness();
      store = (await harness.open()) as VerifiedStore;
      target = await openCopyTarget(harness.url);
      reader = await openReader(harness.url);
    });
    afterEach(async () => {
      await reader.close();
      await target.close();
      await harness.dispose();
    });

    const rowsOf = async (account: string) =>
      (await Array.fromAsync(readAllRows(reader, account, { pageSize: 1000 }))).flat();
    const headOf = async (account: string) => (await reader.readHead(account)).head ?? 0;
    const refused = copyFailed('The target refuses changes of the source: ');

    test('insert and complete transactions, with the heads of their accounts', async () => {
      const [a, b] = [isPending('a', 1, { merchantReference: 'order é' }), isPending('b', 2)];
      const c = isFinal(stored('c', {}), 3);
      await target.writeChanges([
        part('one', 0, 3, a, b, c),
        part('two', 0, 2, isFinal(isPending('a', 1), 2)),
      ]);
      assert.deepEqual(await rowsOf('one'), [a, b, c]);
      assert.equal(await headOf('one'), 3);
      assert.equal(await headOf('two'), 2);
      const refunded = isFinal(a, 5, { status: 'refunded', paidAtMs: null });
      await target.writeChanges([part('one', 3, 5, isFinal(b, 4), refunded)]);
      assert.deepEqual(await rowsOf('one'), [refunded, isFinal(b, 4), c]);
      const { changes, headSequence } = await store.listChanges({ account: 'one', after: 0, limit: 100 });
      assert.deepEqual(
        changes.map(({ sequence, previousStatus, recordedAtMs }) => [sequence, previousStatus, recordedAtMs]),
        [
          [1, null, 1001],
          [2, null, 1002],
          [3, null, 1003],
          [4, 'pending', 1004],
          [5, 'pending', 1005],
        ],
      );
      assert.equal(headSequence, 5);
    });

    test('are executed in the order of the calls, even if no call waits for the one before', async () => {
      const calls = Array.from({ length: 40 }, (_, index) =>
        target.writeChanges([
          part('one', index, index + 1, isPending(`p${index}`, index + 1)),
          part(`other-${index}`, 0, 1, isPending('x', 1)),
        ]),
      );
      await Promise.all(calls);
      assert.equal(await headOf('one'), 40);
      assert.equal((await rowsOf('one')).length, 40);
      assert.equal((await reader.listHeads('', LAST_ACCOUNT, 100)).length, 41);
    });

    test('refuse a whole call if one part has another head than its account', async () => {
      await target.writeChanges([part('one', 0, 2, isPending('a', 1), isPending('b', 2))]);
      for (const after of [0, 1, 3])
        await assert.rejects(
          target.writeChanges([
            part('one', after, after + 1, isPending('z', after + 1)),
            part('two', 0, 1, isPending('a', 1)),
          ]),
          refused,
        );
      assert.equal((await rowsOf('one')).length, 2);
      assert.deepEqual(
        (await reader.listHeads('', LAST_ACCOUNT, 100)).map(({ account, head }) => `${account} ${head}`),
        ['one 2'],
      );
    });

    for (const [what, row] of [
      ['inserts a transaction that is there', isPending('a', 3)],
      ['inserts one with the number of another', isPending('new', 1)],
      ['completes one that is missing', isFinal(isPending('gone', 1), 3)],
      ['completes one with another amount', isFinal(isPending('a', 1, { amountMinor: 1 }), 3)],
      ['completes one that was created at another time', isFinal(isPending('a', 1, { createdAtMs: 7 }), 3)],
      ['completes one with another pending number', isFinal(isPending('b', 1), 3)],
      ['completes one that is final already', isFinal(isPending('b', 2), 3)],
    ] as const) {
      test(`refuse a whole call with a part that ${what}`, async () => {
        await target.writeChanges([part('one', 0, 2, isPending('a', 1), isFinal(stored('b', {}), 2))]);
        const before = await rowsOf('one');
        const written = target.writeChanges([
          part('one', 2, 4, row, isPending('fine', 4)),
          part('two', 0, 1, isPending('a', 1)),
        ]);
        await assert.rejects(written, refused);
        assert.deepEqual(await rowsOf('one'), before);
        assert.deepEqual([await headOf('one'), await headOf('two')], [2, 0]);
        await target.writeChanges([part('one', 2, 3, isPending('fine', 3))]);
      });
    }

    test('mark the database, which no store opens until the mark is removed', async () => {
      assert.equal(await reader.readMark(), undefined);
      const copying = { state: 'copying', other: 'sqlite:source.db', sinceMs: 1_790_000_000_000 } as const;
      await target.mark({ state: 'moved', other: 'sqlite:other.db', sinceMs: 5 });
      await assert.rejects(harness.open(), /was moved to sqlite:other\.db at 1970-01-01T00:00:00\.005Z/);
      const isMoved = (error: unknown) => error instanceof StoreUnavailable && error.reason === 'moved';
      await assert.rejects(record(store, [transaction('one', 'behind')]), isMoved);
      await target.mark(copying);
      if (name !== 'Citus') {
        await assert.rejects(store.record([transaction('one', 'behind')]), isMoved);
        await assert.rejects(store.createApiKey(apiKey('key_0000000000000001'), someEntry()), isMoved);
      }
      await target.writeChanges([part('one', 0, 1, isPending('a', 1))]);
      if (name !== 'Citus') await assert.rejects(harness.execute('DELETE FROM accounts'), /moved/);
      assert.deepEqual(await reader.readMark(), copying);
      const refused = (error: Error) =>
        error instanceof StoreRefused &&
        /target of a copy of sqlite:source\.db that has not ended\. Run "transactions copy" again/.test(
          error.message,
        );
      await assert.rejects(harness.open(), refused);
      await assert.rejects(openStoreWithoutMigrating(harness.url, Date.now), refused);
      await target.unmark();
      assert.equal(await reader.readMark(), undefined);
      await harness.open();
      assert.equal(await headOf('one'), 1);
      await record(store, [transaction('one', 'later')]);
    });

    test('are refused while another copy writes to the database', async () => {
      await assert.rejects(
        openCopyTarget(harness.url),
        (error) => error instanceof StoreRefused && /another copy/.test(error.message),
      );
      await target.close();
      target = await openCopyTarget(harness.url);
      await target.writeChanges([part('one', 0, 1, isPending('a', 1))]);
    });
  });
}
