import { DATABASE_NOW_MS } from '../../db/postgres/database-clock.ts';
import { arrayText, type Background, readStatement } from '../../db/postgres/driver/index.ts';
import { type Leases, MAX_LEASE_MS, WEBHOOK_BUCKETS, type WebhookDeliverer } from '../webhook.ts';

/** The turns of leases among the background work: no account has this name. */
export const LEASES = '*leases';

/** A number of its own, so that no other program's lock is waited for. */
const LEASING = 0x7478776c;

/** Instances take turns: each sees what the one before it has leased, and none waits for two locks. */
const LOCK = readStatement(`SELECT pg_advisory_xact_lock(${LEASING}, 0)`, (row) => row.text());

/*
 * The clock is read by each statement, behind the lock. These tables are not distributed, so Citus allows it.
 */
const STAY = readStatement(
  `INSERT INTO webhook_instances (instance, expires_at_ms) VALUES ($1, ${DATABASE_NOW_MS} + $2::bigint)
ON CONFLICT (instance) DO UPDATE SET expires_at_ms = EXCLUDED.expires_at_ms`,
  () => undefined,
);
const EXPIRE = readStatement(
  `DELETE FROM webhook_instances
WHERE expires_at_ms NOT BETWEEN ${DATABASE_NOW_MS} + 1 AND ${DATABASE_NOW_MS} + ${MAX_LEASE_MS}`,
  () => undefined,
);
const RELEASE = readStatement(
  `DELETE FROM webhook_leases WHERE instance = $1 AND bucket = ANY ($2::bigint[])
  OR NOT EXISTS (SELECT 1 FROM webhook_instances AS i WHERE i.instance = webhook_leases.instance)`,
  () => undefined,
);
/** The even share is rounded up. The instance has no row if it leaves. */
const TAKE = readStatement(
  `INSERT INTO webhook_leases (bucket, instance)
SELECT free.bucket, i.instance FROM webhook_instances AS i
CROSS JOIN generate_series(0::bigint, ${WEBHOOK_BUCKETS - 1}) AS free (bucket)
WHERE i.instance = $1 AND NOT EXISTS (SELECT 1 FROM webhook_leases AS l WHERE l.bucket = free.bucket)
ORDER BY free.bucket
LIMIT (SELECT greatest(0, (${WEBHOOK_BUCKETS - 1} + count(*)) / greatest(1, count(*))
  - (SELECT count(*) FROM webhook_leases WHERE instance = $1)) FROM webhook_instances)`,
  () => undefined,
);
const READ = readStatement(
  `SELECT (SELECT count(*) FROM webhook_instances),
  ARRAY(SELECT bucket FROM webhook_leases WHERE instance = $1 ORDER BY bucket)::text`,
  (row): Leases => ({ instances: row.integer(), held: JSON.parse(`[${row.text().slice(1, -1)}]`) }),
);

/** Leases by the clock of the database, in one transaction of it. */
export const webhookLeaser = (background: Background): Pick<WebhookDeliverer, 'leaseWebhooks'> => ({
  leaseWebhooks: async ({ instance, leaseMs, release }) => {
    const [, , , , , [leases]] = await background.transact(LEASES, [
      { statement: LOCK, values: [] },
      { statement: STAY, values: [instance, leaseMs] },
      { statement: EXPIRE, values: [] },
      { statement: RELEASE, values: [instance, arrayText(release)] },
      { statement: TAKE, values: [instance] },
      { statement: READ, values: [instance] },
    ]);
    return leases as Leases;
  },
});
