import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_NOW_MS } from '../../db/sqlite/database-clock.ts';
import { type LeaseRequest, type Leases, MAX_LEASE_MS, WEBHOOK_BUCKETS } from '../webhook.ts';

/** The leases of WebhookDeliverer, inside the caller's transaction of the database. */
export interface WebhookLeaser {
  leaseWebhooks(request: LeaseRequest): Leases;
}

export function webhookLeaser(db: DatabaseSync): WebhookLeaser {
  const stay = db.prepare(
    `INSERT INTO webhook_instances (instance, expires_at_ms) VALUES (?, ${DATABASE_NOW_MS} + ?)
     ON CONFLICT (instance) DO UPDATE SET expires_at_ms = excluded.expires_at_ms`,
  );
  const expire = db.prepare(
    `DELETE FROM webhook_instances WHERE expires_at_ms NOT BETWEEN ${DATABASE_NOW_MS} + 1 AND ${DATABASE_NOW_MS} + ${MAX_LEASE_MS}`,
  );
  const release = db.prepare('DELETE FROM webhook_leases WHERE instance = ? AND bucket = ?');
  const releaseExpired = db.prepare(
    'DELETE FROM webhook_leases WHERE instance NOT IN (SELECT instance FROM webhook_instances)',
  );
  const take = db.prepare('INSERT INTO webhook_leases (bucket, instance) VALUES (?, ?)');
  const instances = db.prepare('SELECT instance FROM webhook_instances');
  const leases = db.prepare('SELECT bucket, instance FROM webhook_leases');

  return {
    leaseWebhooks: ({ instance, leaseMs, release: released }) => {
      stay.run(instance, leaseMs);
      expire.run();
      for (const bucket of released) release.run(instance, bucket);
      releaseExpired.run();
      const names = instances.all().map((row) => row['instance'] as string);
      const owners = new Map(leases.all().map((row) => [row['bucket'] as number, row['instance']]));
      // The instance has no row if it leaves.
      const share = names.includes(instance) ? Math.ceil(WEBHOOK_BUCKETS / names.length) : 0;
      const held: number[] = [];
      for (const [bucket, owner] of owners) if (owner === instance) held.push(bucket);
      for (let bucket = 0; bucket < WEBHOOK_BUCKETS && held.length < share; bucket++) {
        if (owners.has(bucket)) continue;
        take.run(bucket, instance);
        held.push(bucket);
      }
      return { held: held.sort((a, b) => a - b), instances: names.length };
    },
  };
}
