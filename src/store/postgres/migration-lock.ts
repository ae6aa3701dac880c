import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreRefused } from '../../core/store.ts';
import { arrayQuery } from './driver/index.ts';

/** 'txns' in ASCII: the advisory lock of a program that migrates. */
const LOCK = 0x74786e73;
const LOCK_WITHIN_MS = 60_000;
const LOCK_RETRY_MS = 100;

/** Where the lock is held: in one transaction of the database around all the work, or in the session. */
type LockScope = 'transaction' | 'session';

/** Does work that changes the schema, while no other program does. */
export async function withMigrationLock<Result>(
  client: pg.Client,
  scope: LockScope,
  work: () => Promise<Result>,
): Promise<Result> {
  await lock(client, scope);
  try {
    const result = await work();
    if (scope === 'transaction') await client.query('COMMIT');
    return result;
  } catch (error) {
    if (scope === 'transaction') await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    if (scope === 'session') await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
  }
}

/**
 * Tries repeatedly, and never waits inside a statement: an index that another program builds concurrently would wait for
 * this session's snapshot, and each would wait for the other.
 */
async function lock(client: pg.Client, scope: LockScope): Promise<void> {
  const deadlineMs = performance.now() + LOCK_WITHIN_MS;
  const tryLock = scope === 'session' ? 'pg_try_advisory_lock' : 'pg_try_advisory_xact_lock';
  for (;;) {
    if (scope === 'transaction') await client.query('BEGIN');
    const { rows } = await client.query<[number]>(arrayQuery(`SELECT ${tryLock}($1)::int`, [LOCK]));
    if (rows[0]?.[0] === 1) return;
    if (scope === 'transaction') await client.query('ROLLBACK');
    if (performance.now() > deadlineMs) {
      throw new StoreRefused(
        'another program has been migrating it for a minute. Try again when that has finished.',
      );
    }
    await delay(LOCK_RETRY_MS);
  }
}
