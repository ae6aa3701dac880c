import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StoreRefused } from '../../../values/store-errors.ts';
import { retrying } from '../retrying.ts';
import { arrayQuery, isLockTimeout } from './driver/index.ts';

/** Short, because while a schema change waits for a table, queries of this table wait behind the change. */
export const TABLE_WAIT_MS = 500;
const TABLE_RETRIES = { everyMs: 1000, withinMs: 300_000 };

export const whenTablesAreFree = <Result>(change: () => Promise<Result>): Promise<Result> =>
  retrying(isLockTimeout, TABLE_RETRIES, change);

/** 'txns' in ASCII. A program that migrates takes the advisory lock with this number. */
const LOCK = 0x74786e73;
const LOCK_WITHIN_MS = 60_000;
const LOCK_RETRY_MS = 100;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * If `isTransaction`, takes the lock in a transaction of `client`, and runs `work` in this transaction.
 * Otherwise, a second connection holds the lock. If the second connection is lost, `checkLock` rejects.
 */
export async function withMigrationLock<Result>(
  client: pg.Client,
  { isTransaction }: { isTransaction: boolean },
  work: (checkLock: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const holder = isTransaction ? client : await connectAgain(client);
  try {
    await lock(holder);
    const result = await work(async () => {
      await holder.query('SELECT 1');
    });
    await holder.query('COMMIT');
    return result;
  } catch (error) {
    await holder.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    if (holder !== client) await holder.end();
  }
}

async function connectAgain({ host, port, user, password, database, ssl }: pg.Client): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ host, port, user, password, database, ssl },
    application_name: 'transactions',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The connection is idle during the work, and without keep-alive messages, a firewall could close it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // If the connection is lost, its next statement fails. Without a listener, the process would end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Locks until the transaction ends. The lock does not belong to the session, because a pooler can give one
 * session to several programs.
 *
 * The transaction must not keep a snapshot. While it holds the lock, a migration can run CREATE INDEX
 * CONCURRENTLY on another connection. CREATE INDEX waits until all older snapshots have ended. But this
 * transaction ends only after the migration. If it kept a snapshot, CREATE INDEX would wait forever.
 */
export async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  // At REPEATABLE READ, the transaction would keep the snapshot of its first query.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  // The work between two statements can take long, so the server must not end the idle transaction.
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
  // `lock` is written into the text. If it were sent as $1, the transaction would keep this query's snapshot.
  const { rows } = await client.query<[number]>(arrayQuery(`SELECT pg_try_advisory_xact_lock(${lock})::int`));
  return rows[0]?.[0] === 1;
}

/** A statement that waits for the lock would block CREATE INDEX CONCURRENTLY (see `tryLock`). */
async function lock(client: pg.Client): Promise<void> {
  const deadlineMs = performance.now() + LOCK_WITHIN_MS;
  for (;;) {
    if (await tryLock(client, LOCK)) return;
    await client.query('ROLLBACK');
    if (performance.now() > deadlineMs) {
      throw new StoreRefused(
        'another program has been migrating it for a minute. Try again when that has finished.',
      );
    }
    await delay(LOCK_RETRY_MS);
  }
}
