import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { transaction } from '../rig/data/transactions.ts';
import { someInTier } from '../rig/run/tier.ts';
import { contentsOf, copyBetween } from '../rig/store/copy.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { recordHealthy, type VerifiedStore } from '../verify/healthy-database.ts';

/** Each is planted in a target that was copied whole, and named with what both sides have. */
const PLANTED: readonly (readonly [what: string, sql: string, lines: readonly string[]])[] = [
  [
    'another amount',
    `UPDATE transactions SET amount_minor = 7 WHERE account = 'store-1' AND reference = 'store-1.a'`,
    ['store-1, transaction store-1.a: amountMinor 1250; amountMinor 7'],
  ],
  [
    'another merchantReference',
    `UPDATE transactions SET merchant_reference = 'other' WHERE account = 'store-1' AND reference = 'store-1.a'`,
    ['store-1, transaction store-1.a: merchantReference "order 1"; merchantReference "other"'],
  ],
  [
    'another time of a change',
    `UPDATE transactions SET pending_recorded_at_ms = 7 WHERE account = 'store-2' AND reference = 'store-2.b'`,
    [`store-2, transaction store-2.b: pendingRecordedAtMs ${Date.UTC(2026, 5, 15)}; pendingRecordedAtMs 7`],
  ],
  [
    'another change with the same number',
    `UPDATE transactions SET pending_nonce = 7 WHERE account = 'store-2' AND reference = 'store-2.b'`,
    ['store-2, transaction store-2.b: pendingNonce RANDOM; pendingNonce 7'],
  ],
  [
    'no such transaction',
    `DELETE FROM transactions WHERE account = 'store-1' AND reference = 'store-1.d'`,
    ['store-1, transaction store-1.d: the sequence number 5; no such transaction'],
  ],
  [
    'a head beyond that of the source',
    `UPDATE accounts SET head_sequence = 9 WHERE account = 'store-1'`,
    ['store-1, head sequence: 7; 9'],
  ],
  [
    'an account that the source does not have',
    `INSERT INTO accounts (account, head_sequence) VALUES ('other', 2)`,
    ['other, head sequence: 0; 2'],
  ],
  [
    'another cursor secret',
    `UPDATE cursor_secret SET secret = '${'B'.repeat(43)}'`,
    ['cursor secret: a secret; another secret'],
  ],
  [
    'a key with another hash',
    `UPDATE api_keys SET hash = '${'0'.repeat(64)}' WHERE account = 'store-1'`,
    [`store-1, KEY: a hash; another hash`],
  ],
  [
    'a key that begins otherwise',
    `UPDATE api_keys SET key_start = 'tk_live_AAAAAA' WHERE account = 'store-1'`,
    [`store-1, KEY: a key_start; another key_start`],
  ],
  [
    'a key that was revoked at another time',
    `UPDATE api_keys SET revoked_at_ms = 7 WHERE account = 'store-1'`,
    [`store-1, KEY: revoked_at_ms ${Date.UTC(2026, 5, 15)}; revoked_at_ms 7`],
  ],
  [
    'an idempotency key of another request',
    `UPDATE idempotency_keys SET fingerprint = '${'b'.repeat(64)}' WHERE account = 'store-2'`,
    ['store-2, idempotency key key 1: a fingerprint; another fingerprint'],
  ],
  [
    'an idempotency key that the source does not have',
    `INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ('store-1', 'own', '${'b'.repeat(64)}', 'x')`,
    ['store-1, idempotency key own: nothing; there'],
  ],
  [
    'a webhook that is further than the source',
    `UPDATE webhook_endpoints SET acknowledged_sequence = 6 WHERE account = 'store-1'`,
    ['store-1, WEBHOOK: acknowledged_sequence 5; acknowledged_sequence 6'],
  ],
  [
    'a webhook of a later version',
    `UPDATE webhook_endpoints SET version = 2 WHERE account = 'store-1'`,
    ['store-1, WEBHOOK: version 1; version 2'],
  ],
  [
    'a webhook with another secret',
    `UPDATE webhook_endpoints SET secret = 'whsec_${'C'.repeat(44)}' WHERE account = 'store-1'`,
    ['store-1, WEBHOOK: a secret; another secret'],
  ],
];

/** What contradicts the source is named, and stays as it is. */
export function contradictionsContract(
  name: string,
  makeSource: () => Promise<StoreHarness>,
  makeTarget: () => Promise<StoreHarness>,
): void {
  describe(`a copy to ${name} stops at`, () => {
    let source: StoreHarness;
    let target: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      [source, target] = [await makeSource(), await makeTarget()];
      store = await source.open();
      await recordHealthy(store as VerifiedStore);
    });
    afterEach(async () => {
      await source.dispose();
      await target.dispose();
    });

    const copy = async () => {
      const end = await copyBetween(source.url, target.url);
      if (end.end !== 'contradictions') return { end: end.end, lines: [], count: 0 };
      const { kept, count } = end.contradictions;
      const lines = kept.map(
        ({ account, place, source: ours, target: theirs }) =>
          `${account === null ? '' : `${account}, `}${place.replace(/^(key|webhook) (key|we)_.*/, (_, kind: string) => kind.toUpperCase())}: ${ours.replace(/Nonce \d+/, 'Nonce RANDOM')}; ${theirs}`,
      );
      return { end: end.end, lines, count };
    };

    for (const [what, sql, lines] of someInTier(PLANTED, 4)) {
      test(`${what}, names it, and changes nothing`, async () => {
        assert.equal((await copy()).end, 'equal');
        await store.recordTransactions([transaction('store-2', 'later')]);
        await target.execute(sql);
        const before = await contentsOf(target.url);
        assert.deepEqual(await copy(), { end: 'contradictions', lines: [...lines], count: lines.length });
        assert.deepEqual(await contentsOf(target.url), before);
        // Nothing was written, so there is no mark.
        await (await target.open()).ping();
      });
    }

    test('a transaction that was recorded in the target after the mark, and keeps the mark', async () => {
      assert.equal((await copy()).end, 'equal');
      await store.recordTransactions([transaction('store-2', 'later')]);
      await target.execute(
        `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, 'copying', '${source.url}', 0)`,
      );
      await target.execute(
        `INSERT INTO transactions (account, reference, status, amount_minor, currency_code, created_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce)
         VALUES ('store-2', 'store-2.later', 'pending', 1, 'EUR', 0, 4, 4, 4)`,
      );
      const before = await contentsOf(target.url);
      const found = await copy();
      assert.equal(found.end, 'contradictions');
      assert.ok(
        found.lines.includes('store-2, transaction store-2.later: amountMinor 1250; amountMinor 1'),
        found.lines.join('\n'),
      );
      assert.deepEqual((await contentsOf(target.url)).rows, before.rows);
      await assert.rejects(target.open(), /has not ended/);
    });

    test('many, and names the first 20 of them', async () => {
      await store.recordTransactions(
        Array.from({ length: 30 }, (_, index) => transaction('store-3', `many-${index}`)),
      );
      assert.equal((await copy()).end, 'equal');
      await target.execute(`UPDATE transactions SET amount_minor = 3 WHERE account = 'store-3'`);
      const { end, lines, count } = await copy();
      assert.deepEqual([end, lines.length, count], ['contradictions', 20, 30]);
    });
  });
}
