import { MAX_LEASE_MS, OTHER_RULES_MS } from './webhook.ts';

/** Takes or renews the lease for the instance $1 with the rules $2, for $3 ms. `now` is the clock of the database. */
export const takeLeaseSql = (now: string): string =>
  `INSERT INTO webhook_lease (only_row, instance, rules, expires_at_ms) VALUES (1, $1, $2, ${now} + $3)
ON CONFLICT (only_row) DO UPDATE SET instance = excluded.instance, rules = excluded.rules, expires_at_ms = excluded.expires_at_ms
WHERE webhook_lease.instance = excluded.instance OR webhook_lease.expires_at_ms NOT BETWEEN
  ${now} + 1 - CASE WHEN webhook_lease.rules = excluded.rules THEN 0 ELSE ${OTHER_RULES_MS} END AND ${now} + ${MAX_LEASE_MS}`;

export const READ_LEASE_SQL = 'SELECT instance, rules FROM webhook_lease WHERE only_row = 1';
