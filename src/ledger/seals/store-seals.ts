import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import { UNSEALED } from './seal.ts';
import type { Sealer, UnsealedLister } from './seals.ts';

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
