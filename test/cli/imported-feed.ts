import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import type { Change } from '../../src/ledger/changes/change.ts';
import { changeLister } from '../../src/ledger/changes/sqlite/list-changes.ts';

const ACCOUNTS = ['store-1', 'store-2'];

/** Reads the change feeds of an imported database while an import runs, and again after it was killed. */
export class ImportedFeed {
  readonly #db: DatabaseSync;
  readonly #lister: ReturnType<typeof changeLister>;
  /** The changes of each account that were read: their number, and their JSON, one in a line. */
  readonly #known = new Map<string, { count: number; text: string }>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#lister = changeLister(db);
  }

  /** Reads the changes after those that were read before. Returns the number of all. */
  read(): number {
    let read = 0;
    for (const account of ACCOUNTS) {
      const { count, text } = this.#knownOf(account);
      const changes = this.#list(account, count);
      this.#known.set(account, { count: count + changes.length, text: text + textOf(changes) });
      read += count + changes.length;
    }
    return read;
  }

  /** Each recorded transaction has one change, in the order of the import, and those that were read are there again. */
  check(): void {
    const rows = this.#db.prepare(
      'SELECT reference, status FROM transactions WHERE account = ? ORDER BY created_at_ms, reference',
    );
    for (const account of ACCOUNTS) {
      const changes = this.#list(account, 0);
      const text = textOf(changes);
      assert.ok(text.startsWith(this.#knownOf(account).text), 'a change that was read is another one now');
      this.#known.set(account, { count: changes.length, text });
      assert.deepEqual(
        changes.map(({ transaction: { reference, status } }) => `${reference} ${status}`),
        rows.all(account).map(({ reference, status }) => `${reference} ${status}`),
      );
      assert.ok(changes.every(({ previousStatus }) => previousStatus === null));
    }
  }

  /** Removes all transactions with their changes. */
  clear(): void {
    this.#db.exec('BEGIN; DELETE FROM transactions; DELETE FROM accounts; COMMIT');
    this.#known.clear();
  }

  #knownOf(account: string): { count: number; text: string } {
    return this.#known.get(account) ?? { count: 0, text: '' };
  }

  /** The changes after a number, which are dense. */
  #list(account: string, after: number): Change[] {
    const { changes, headSequence } = this.#lister({ account, after, limit: 1_000_000 });
    assert.equal(after + changes.length, headSequence);
    assert.ok(
      changes.every(({ sequence }, index) => sequence === after + 1 + index),
      'the changes are not dense',
    );
    return changes;
  }
}

const textOf = (changes: readonly Change[]) =>
  changes.map((change) => `${JSON.stringify(change)}\n`).join('');
