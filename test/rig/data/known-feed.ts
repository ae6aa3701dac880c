import assert from 'node:assert/strict';
import type { ChangeBody, ChangePageBody } from '../../../src/ledger/changes/http/change-schemas.ts';
import type { TransactionBody } from '../../../src/ledger/http/transaction-schemas.ts';

/*
 * Oracles of the change feed that know only what its consumers have read.
 */

/** What any consumer has read of the change feed of one account: a change that was read once is never different. */
export class KnownFeed {
  /** The JSON of each change that was read. */
  readonly #read = new Map<number, string>();

  /** Checks that a page is dense, complete and of one head sequence, and that it shows each known change as before. */
  checkPage(
    { data, lastSequence, lastId, headSequence, hasMore }: ChangePageBody,
    after: number,
    afterId: string | null,
    limit: number,
  ): void {
    assert.deepEqual(
      data.map(({ sequence }) => sequence),
      data.map((_, index) => after + 1 + index),
      'the changes are not dense',
    );
    assert.equal(lastSequence, after + data.length, 'lastSequence is not that of the last change');
    assert.equal(lastId, data.at(-1)?.id ?? afterId, 'lastId is not that of the last change');
    assert.equal(data.length, Math.min(limit, headSequence - after), 'the page has a wrong size');
    assert.equal(hasMore, lastSequence < headSequence, 'hasMore and headSequence contradict each other');
    for (const change of data) {
      const { sequence, type, transaction } = change;
      assert.equal(type, `transaction.${transaction.status}`);
      const text = JSON.stringify(change);
      const known = this.#read.get(sequence);
      assert.equal(text, known ?? text, `the change ${sequence} was read before, and is another one now`);
      this.#read.set(sequence, text);
    }
  }
}

/** The copy of an account's transactions that a consumer keeps by its change feed. */
export class FeedCopy {
  readonly transactions = new Map<string, TransactionBody>();
  /** The number of the last change that was applied. */
  lastSequence = 0;
  lastId: string | null = null;

  /** Applies the changes of a page. Each must be possible after those before. */
  apply(changes: readonly ChangeBody[]): void {
    for (const { sequence, id, previousStatus, transaction } of changes) {
      assert.equal(sequence, this.lastSequence + 1);
      const before = this.transactions.get(transaction.reference);
      const which = `the change ${sequence} of ${transaction.reference}`;
      assert.equal(before?.status ?? null, previousStatus, `${which} has a wrong previousStatus`);
      if (before !== undefined) {
        assert.ok(before.status === 'pending' && transaction.status !== 'pending', `${which} is impossible`);
        const { status, paidAt } = transaction;
        assert.deepEqual({ ...before, status, paidAt }, transaction, `${which} changes an immutable field`);
      }
      this.transactions.set(transaction.reference, transaction);
      this.lastSequence = sequence;
      this.lastId = id;
    }
  }
}
