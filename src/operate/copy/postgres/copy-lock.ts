import type pg from 'pg';
import { arrayQuery } from '../../../db/postgres/driver/index.ts';
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
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<[number]>(arrayQuery(`SELECT pg_try_advisory_xact_lock(${LOCK})::int`));
  if (rows[0]?.[0] !== 1)
    throw new StoreRefused('another copy writes to it. Wait until that one has ended, or stop it.');
}
