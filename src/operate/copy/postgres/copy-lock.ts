import type pg from 'pg';
import { tryLock } from '../../../db/postgres/migration-lock.ts';
import { StoreRefused } from '../../../values/store-errors.ts';

/** 'txnc' in ASCII: the advisory lock of a copy into the database. */
const LOCK = 0x74786e63;

/**
 * Takes the lock of a copy, which the connection then holds until it ends, also if its process is killed. The lock belongs to a
 * transaction, which a pooler in transaction mode keeps on one connection of the server. The transaction reads nothing while it lasts,
 * so it keeps no old versions of rows alive.
 *
 * Throws: StoreRefused if another copy has it.
 */
export async function lockForCopy(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, LOCK)))
    throw new StoreRefused('another copy writes to it. Wait until that one has ended, or stop it.');
}
