import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { type ApiKey, isUsable } from '../api-key.ts';
import type { ApiKeyStore } from '../keys.ts';

const SESSION_EVENTS = ['created', 'opened', 'ended', 'refused'] as const;

export type KeyMetrics = ReturnType<typeof createKeyMetrics>;

const KEYS_PER_PAGE = 1000;

export function createKeyMetrics(registers: Registry[]) {
  const sessions = new Counter({
    name: 'transactions_sessions_total',
    help: 'Sessions of people that were created, opened and ended by requests, and codes that were refused.',
    labelNames: ['event'],
    registers,
  });
  // Each series begins at 0, because an alert could not see the first increase of a series that begins at 1.
  for (const event of SESSION_EVENTS) sessions.inc({ event }, 0);
  return {
    countSession: (event: (typeof SESSION_EVENTS)[number], count = 1) => sessions.inc({ event }, count),
    watchOperatorKeys: watchOperatorKeys(registers),
  };
}

const watchOperatorKeys =
  (registers: Registry[]) =>
  (store: Pick<ApiKeyStore, 'listApiKeys'>, now: () => number): void => {
    let keys: readonly ApiKey[] = [];
    new Gauge({
      name: 'transactions_operator_key_expires_timestamp_seconds',
      help: "Expiry of the operator's key that expires first, of those that are used and not rolled. Absent if none expires.",
      registers,
      collect() {
        this.remove();
        const expiries = keys.filter((key) => isInUse(key, now())).map(({ expiresAtMs }) => expiresAtMs);
        if (expiries.length > 0) this.set(Math.min(...(expiries as number[])) / 1000);
        // Does not wait for the database, because an outage must not hide the metrics.
        listInUse(store, now()).then(
          (listed) => {
            keys = listed;
          },
          () => {},
        );
      },
    });
  };

async function listInUse(store: Pick<ApiKeyStore, 'listApiKeys'>, nowMs: number): Promise<ApiKey[]> {
  const inUse: ApiKey[] = [];
  for (let after: ApiKey | null = null; ; ) {
    const page: ApiKey[] = await store.listApiKeys(OPERATOR_ACCOUNT, after, KEYS_PER_PAGE);
    inUse.push(...page.filter((key) => isInUse(key, nowMs)));
    after = page.at(-1) ?? null;
    if (page.length < KEYS_PER_PAGE) return inUse;
  }
}

/** Rolled keys do not count, because they have a successor. Keys that were never used do not count either. */
const isInUse = (key: ApiKey, nowMs: number) =>
  key.expiresAtMs !== null && key.rolledAtMs === null && key.lastUsedAtMs !== null && isUsable(key, nowMs);
