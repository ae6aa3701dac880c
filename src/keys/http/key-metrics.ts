import { Gauge, type Registry } from '@prometheus-io/client';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { type ApiKey, isUsable } from '../api-key.ts';
import type { ApiKeyStore } from '../api-key-store.ts';

export interface KeyMetrics {
  /** Exports when the operator's keys expire. */
  watchOperatorKeys(store: Pick<ApiKeyStore, 'listApiKeys'>, now: () => number): void;
}

const MAX_KEYS = 1000;

export const createKeyMetrics = (registers: Registry[]): KeyMetrics => ({
  watchOperatorKeys: (store, now) => {
    let keys: readonly ApiKey[] = [];
    new Gauge({
      name: 'transactions_operator_key_expires_timestamp_seconds',
      help: "When a key of the operator expires: the first of those that are used and not rolled, at the metrics' last request. Absent if none expires.",
      registers,
      collect() {
        this.remove();
        const expiries = keys.filter((key) => isInUse(key, now())).map(({ expiresAtMs }) => expiresAtMs);
        if (expiries.length > 0) this.set(Math.min(...(expiries as number[])) / 1000);
        // The metrics do not wait for the database: an outage must not hide them.
        store.listApiKeys(OPERATOR_ACCOUNT, null, MAX_KEYS).then(
          (listed) => {
            keys = listed;
          },
          () => {},
        );
      },
    });
  },
});

/** A rolled key has its successor, and nobody misses one that was never used. */
const isInUse = (key: ApiKey, nowMs: number) =>
  key.expiresAtMs !== null && key.rolledAtMs === null && key.lastUsedAtMs !== null && isUsable(key, nowMs);
