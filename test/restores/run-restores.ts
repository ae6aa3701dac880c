import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import type { Change } from '../../src/ledger/changes/change.ts';
import { changeId } from '../../src/ledger/changes/change-id.ts';
import { listChanges, NotInHistory } from '../../src/ledger/changes/list-changes.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { backUpDatabase, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { changesOf, completed, pending } from '../rig/changes.ts';
import { Random } from '../rig/random.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { record, transaction } from '../rig/transactions.ts';

const ACCOUNT = 'store-1';
/** The clock stands still, so that no id can depend on the time. */
const NOW_MS = Date.parse('2026-05-01T00:00:00.000Z');
const READERS = 4;
const MAX_STEPS = 12;
const PAGE = 3;

interface RestoresOptions {
  first: number;
  count: number;
  endsAtMs?: number | undefined;
  onProgress?: (restores: number) => void;
}

interface RestoresResult {
  restores: number;
  /** Changes that the restores have lost, and those that were recorded after them. */
  lost: number;
  recordedAgain: number;
  /** Readers that had lost changes, and those that had none. */
  refused: number;
  unaffected: number;
}

const idOf = (change: Change) => changeId(ACCOUNT, change);

/** A copy that a reader of the change feed keeps: all changes up to a number. */
class FeedCopy {
  readonly changes: Change[] = [];
  /** How often the service refused it, because the history is another one. */
  refused = 0;

  /** Reads changes up to the head, or a random part of them. Repairs the copy if the history has changed. */
  async follow(store: Store, random?: Random): Promise<void> {
    do {
      try {
        const { changes } = await listChanges(store, this.#queryAt(this.changes.length));
        if (changes.length === 0) return;
        this.changes.push(...changes);
      } catch (error) {
        if (!(error instanceof NotInHistory)) throw error;
        this.refused++;
        await this.#rewind(store, error.headSequence);
      }
    } while (random?.chance(0.7) ?? true);
  }

  #queryAt(after: number) {
    const last = this.changes[after - 1];
    return { account: ACCOUNT, after, limit: PAGE, afterId: last && idOf(last) };
  }

  /** Finds the last common change by bisection, as the error says, and removes what is above it. */
  async #rewind(store: Store, headSequence: number): Promise<void> {
    let [common, above] = [0, Math.min(this.changes.length, headSequence)];
    while (common < above) {
      const middle = Math.ceil((common + above) / 2);
      const isCommon = await listChanges(store, this.#queryAt(middle)).then(
        () => true,
        (error) => {
          if (error instanceof NotInHistory) return false;
          throw error;
        },
      );
      if (isCommon) common = middle;
      else above = middle - 1;
    }
    this.changes.length = common;
  }
}

/** Records new transactions, and completes pending ones. Returns them in the order of their recordings. */
async function grow(
  store: Store,
  random: Random,
  known: AccountTransaction[],
): Promise<AccountTransaction[][]> {
  const steps: AccountTransaction[][] = [];
  for (let step = random.integer(1, MAX_STEPS); step > 0; step--) {
    const open = known.filter(({ status }) => status === 'pending');
    const rows =
      open.length > 0 && random.chance(0.4)
        ? [completed(random.pick(open))]
        : Array.from({ length: random.integer(1, 3) }, (_, index) => {
            const reference = `r${known.length + index}`;
            return random.chance(0.5) ? pending(ACCOUNT, reference) : transaction(ACCOUNT, reference);
          });
    for (const row of rows) {
      const at = known.findIndex(({ reference }) => reference === row.reference);
      known.splice(at === -1 ? known.length : at, at === -1 ? 0 : 1, row);
    }
    await record(store, rows);
    steps.push(rows);
  }
  return steps;
}

/** Restores a database from a backup after further recordings, some of which are recorded again, and lets every reader go on. */
async function restoreOnce(seed: number, result: RestoresResult): Promise<void> {
  const random = new Random(seed);
  const folder = temporaryFolder();
  const [path, backup] = [`${folder.path}/live.db`, `${folder.path}/backup.db`];
  const open = async () => (await openStore(`sqlite:${path}`, () => NOW_MS)).store;
  let store = await open();
  try {
    const known: AccountTransaction[] = [];
    const readers = Array.from({ length: READERS }, () => new FeedCopy());
    const followSome = async () => {
      for (const reader of readers) if (random.chance(0.7)) await reader.follow(store, random);
    };
    await grow(store, random, known);
    await followSome();
    await backUpDatabase(`sqlite:${path}`, backup, () => {});
    const restored = [...known];
    const lostSteps = await grow(store, random, known);
    await followSome();
    const before = await changesOf(store, ACCOUNT);
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    copyFileSync(backup, path);
    store = await open();
    const common = (await changesOf(store, ACCOUNT)).length;
    // The same file is recorded again, or other transactions under the same references.
    if (random.chance(0.5)) for (const rows of lostSteps) await record(store, rows);
    else await grow(store, random, restored);
    const after = await changesOf(store, ACCOUNT);
    const lost = new Set(before.slice(common).map(idOf));
    assert.deepEqual(after.slice(0, common), before.slice(0, common));
    assert.ok(!after.some((change) => lost.has(idOf(change))), 'a change after the restore has a lost id');
    for (const reader of readers) {
      const isAffected = reader.changes.length > common;
      await reader.follow(store);
      assert.equal(reader.refused, isAffected ? 1 : 0);
      assert.deepEqual(reader.changes, after);
      result[isAffected ? 'refused' : 'unaffected']++;
    }
    result.restores++;
    result.lost += lost.size;
    result.recordedAgain += after.length - common;
  } finally {
    await store.close();
    folder.remove();
  }
}

/**
 * Restores databases from older backups while readers follow the change feed, each at its own place.
 *
 * Throws: an AssertionError if a reader does not notice that it has lost changes, or its copy does not become equal.
 */
export async function runRestores(options: RestoresOptions): Promise<RestoresResult> {
  const { first, count, endsAtMs = Number.POSITIVE_INFINITY, onProgress } = options;
  const result = { restores: 0, lost: 0, recordedAgain: 0, refused: 0, unaffected: 0 };
  for (let seed = first; seed < first + count && (seed === first || performance.now() < endsAtMs); seed++) {
    try {
      await restoreOnce(seed, result);
    } catch (error) {
      throw new Error(`restore ${seed}: ${(error as Error).message}`, { cause: error });
    }
    onProgress?.(result.restores);
  }
  return result;
}
