import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import { type SealHead, type Sealing, UNSEALED } from './seal.ts';

export interface SealReader {
  /** The seal of the last sealed change. */
  readSeal(account: string): Promise<SealHead>;
}

/** Finds what is not sealed. */
export interface UnsealedLister {
  /**
   * Reads the next `limit` accounts after `after`, in order, and returns those with unsealed changes. `last`
   * is the last account that was read.
   */
  listUnsealed(
    afterAccount: string,
    limit: number,
  ): Promise<{ accounts: UnsealedAccount[]; last: string | null }>;
}

interface UnsealedAccount {
  account: string;
  /** How many changes are not sealed. */
  changes: number;
}

/** Seals changes after they were recorded, in steps. Each step begins where the one before ended. */
export interface Sealer extends SealReader {
  /**
   * Reads the next changes after the last sealed one, at most `limit`, and seals them. Nothing is stored.
   *
   * Throws: Error if the changes do not continue the sealed ones.
   */
  sealChanges(account: string, from: SealHead, limit: number): Promise<Sealing>;
  /**
   * Stores what sealChanges made, if the last sealed change is still `from`, and the history still has the
   * last change. Returns false, and changes nothing, if another instance has sealed meanwhile, or if the
   * history was replaced.
   */
  storeSeals(account: string, from: SealHead, sealing: Sealing): Promise<boolean>;
}

const sql = statementsOf(new URL('./seals.sql', import.meta.url));
const READ = sql('readSeal', (row) => ({
  sequence: row.integer(),
  nonce: row.integerOrNull(),
  seal: row.text(),
  digests: row.text(),
}));
const COMMIT_LATER = sql('commitLater', (row) => row.text());
const BEGIN = sql('beginSeal');
const LOCK = sql('lockSeal', (row) => row.integer());
const ADD_BLOCKS = sql('addBlocks');
const STORE = sql('storeSeal', (row) => row.integer());
const LIST_UNSEALED = statementsOf(new URL('./unsealed.sql', import.meta.url))('listUnsealed', (row) => ({
  account: row.text(),
  changes: row.integer(),
}));

export const sealStore = (db: Db): Omit<Sealer, 'sealChanges'> & UnsealedLister => ({
  readSeal: async (account) => (await db.read(READ, { account }))[0] ?? UNSEALED,
  storeSeals: async (account, from, { head, blocks }) => {
    const values = { ...head, account, from: from.sequence, blocks: JSON.stringify(blocks) };
    const results = await db.write({ turn: 'stream', isUnsynced: true }, [
      { statement: COMMIT_LATER, values },
      ...(from.sequence === 0 ? [{ statement: BEGIN, values }] : []),
      { statement: LOCK, values },
      ...(blocks.length === 0 ? [] : [{ statement: ADD_BLOCKS, values }]),
      { statement: STORE, values },
    ]);
    return results.at(-1)?.length === 1;
  },
  listUnsealed: async (after, limit) => {
    const listed = await db.read(LIST_UNSEALED, { after, limit }, 'long');
    return {
      accounts: listed.filter(({ changes }) => changes > 0),
      last: listed.at(-1)?.account ?? null,
    };
  },
});
