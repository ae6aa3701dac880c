import type { DatabaseSync } from 'node:sqlite';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import { changeLister, nonceReader } from '../../changes/sqlite/list-changes.ts';
import { NO_SEAL, type SealHead, type Sealing, sealChanges, UNSEALED } from '../seal.ts';
import { READ_SEAL_HEAD, type SealValues, sealHeadOf } from '../seal-rows.ts';
import { type Sealer, type UnsealedLister, type UnsealedRow, unsealedOf } from '../seals.ts';

export function sealReader(db: DatabaseSync): (account: string) => SealHead {
  const read = db.prepare(READ_SEAL_HEAD.replace('$', '?'));
  read.setReturnArrays(true);
  return (account) => {
    const row = read.get(account) as unknown as SealValues | undefined;
    return row === undefined ? UNSEALED : sealHeadOf(row);
  };
}

export function changeSealer(db: DatabaseSync): (account: string, from: SealHead, limit: number) => Sealing {
  const list = changeLister(db);
  return (account, from, limit) => sealChanges(account, from, list({ account, after: from.sequence, limit }));
}

const UNSEALED_SQL = `SELECT accounts.account, head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account
WHERE accounts.account > ? ORDER BY accounts.account LIMIT ? + 0`;

export function unsealedLister(
  db: DatabaseSync,
): (...page: Parameters<UnsealedLister['listUnsealed']>) => ReturnType<typeof unsealedOf> {
  const list = db.prepare(UNSEALED_SQL);
  list.setReturnArrays(true);
  return (...page) => unsealedOf(list.all(...page) as unknown as UnsealedRow[]);
}

/** The write of Sealer, inside the caller's transaction of the database. */
export type SealWriter = Synchronous<Sealer, 'storeSeals'>;

export function sealWriter(db: DatabaseSync): SealWriter {
  const begin = db.prepare(
    `INSERT INTO seals (account, sequence, seal, digests) VALUES (?, 0, '${NO_SEAL}', '') ON CONFLICT DO NOTHING`,
  );
  const advance = db.prepare(
    'UPDATE seals SET sequence = ?3, nonce = ?4, seal = ?5, digests = ?6 WHERE account = ?1 AND sequence = ?2',
  );
  const addBlock = db.prepare(
    'INSERT INTO seal_blocks (account, sequence, seal, digests) VALUES (?, ?, ?, ?)',
  );
  const nonceOf = nonceReader(db);

  return {
    storeSeals: (account, from, { head, blocks }) => {
      const { sequence, nonce, seal, digests } = head;
      if (nonceOf(account, sequence) !== nonce) return false;
      if (from.sequence === 0) begin.run(account);
      const isStored = advance.run(account, from.sequence, sequence, nonce, seal, digests).changes === 1;
      if (isStored)
        for (const block of blocks) addBlock.run(account, block.sequence, block.seal, block.digests);
      return isStored;
    },
  };
}
