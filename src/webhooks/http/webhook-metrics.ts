import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { AttemptOutcome } from '../delivery/attempts.ts';
import type { DeliveryStatus } from '../delivery/delivery-dependencies.ts';
import type { DisabledReason } from '../webhook.ts';

const OUTCOMES = ['delivered', 'gone', 'refused', 'unavailable'] as const satisfies readonly AttemptOutcome[];
/** `requested` is missing, because these metrics count only the endpoints that the service disabled. */
const REASONS = ['gone', 'failing'] as const satisfies readonly DisabledReason[];
const BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

const GAUGES: Readonly<Record<string, [help: string, read: (status: DeliveryStatus) => number]>> = {
  transactions_webhook_endpoints: ['Enabled endpoints that this instance delivers to.', (s) => s.endpoints],
  transactions_webhook_endpoints_paused: [
    'Endpoints that are paused because their receivers fail. One change at a time is retried.',
    (s) => s.paused,
  ],
  transactions_webhook_attempts_in_flight: ['Deliveries without a response yet.', (s) => s.inFlight],
  transactions_webhook_failures: [
    'Changes that are stored as failures of the endpoints of this instance.',
    (s) => s.failures,
  ],
  transactions_webhook_lag_changes: [
    'Recorded changes that are not acknowledged. Endpoints that wait for their receivers do not count.',
    (s) => s.lagChanges,
  ],
  transactions_webhook_changes_paused: [
    'Changes that wait for their receivers: those of endpoints that are paused, whose receivers asked for a pause, or that are ordered and have a failure.',
    (s) => s.pausedChanges,
  ],
  transactions_webhook_lag_seconds: [
    'The longest wait of a change that is next for its endpoint. Endpoints that wait for their receivers do not count.',
    (s) => s.lagMs / 1000,
  ],
  transactions_webhook_other_rules: [
    '1 if this instance does not deliver, because WEBHOOK_NETWORKS, WEBHOOK_HTTP or the presence of WEBHOOK_PROXY differs from that of the delivering instance; otherwise 0.',
    (s) => (s.hasOtherRules ? 1 : 0),
  ],
};

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export function createWebhookMetrics(registers: Registry[]) {
  const attempts = new Counter({
    name: 'transactions_webhook_attempts_total',
    help: 'Attempts to deliver a change, by outcome: delivered, gone (410), refused (another status), unavailable (no response, 408, 429 or 5xx).',
    labelNames: ['outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'transactions_webhook_attempt_duration_seconds',
    help: 'Time from an attempt to its response, or to its end without one.',
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const disabled = new Counter({
    name: 'transactions_webhook_endpoints_disabled_total',
    help: 'Endpoints that the service disabled: gone (410) or failing (every attempt for five days).',
    labelNames: ['reason'],
    registers,
  });
  const movedBack = new Counter({
    name: 'transactions_webhook_endpoints_moved_back_total',
    help: 'Endpoints that were moved back to an earlier change, because the database is in an earlier state than before.',
    registers,
  });
  const ahead = new Counter({
    name: 'transactions_webhook_endpoints_ahead_total',
    help: 'Endpoints that received changes which the database had lost when the service reconnected to it.',
    registers,
  });
  const delivering = new Gauge({
    name: 'transactions_webhook_delivering',
    help: '1 if this instance delivers to webhooks, or waits to do so; 0 with WEBHOOKS=off.',
    registers,
  });
  delivering.set(0);
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  for (const reason of REASONS) disabled.inc({ reason }, 0);
  return {
    countAttempt: ({ outcome, durationMs }: { outcome: AttemptOutcome; durationMs: number }) => {
      attempts.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
    countDisabled: (reason: DisabledReason) => disabled.inc({ reason }),
    countMovedBack: () => movedBack.inc(),
    countAhead: () => ahead.inc(),
    watchDeliveries: (status: () => DeliveryStatus) => {
      delivering.set(1);
      for (const [name, [help, read]] of Object.entries(GAUGES))
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read(status()));
          },
        });
    },
  };
}
