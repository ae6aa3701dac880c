import type { Logger } from 'pino';
import type { Turns } from '../../values/background-turns.ts';
import { type AuditOrigin, stampOf } from '../audit/audit.ts';
import { LogInterval } from '../http/telemetry/log-interval.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryHooks } from '../webhooks/delivery/delivery-dependencies.ts';
import { WebhookDeliveries } from '../webhooks/delivery/webhook-deliveries.ts';
import type { WebhookSending } from '../webhooks/http/operations.ts';
import type { WebhookMetrics } from '../webhooks/http/webhook-metrics.ts';
import type { Send } from '../webhooks/send.ts';
import type { EndpointName } from '../webhooks/webhook.ts';
import type { Clock } from './context.ts';
import type { LostDeliveries } from './lost-deliveries.ts';
import { secureRandomBytes } from './random-bytes.ts';

export const STOP_GRACE_MS = 3000;
const LOG_INTERVAL_MS = 60_000;

const BY_ITSELF: AuditOrigin = { via: 'service', actor: null, address: null };

interface DeliveriesOptions {
  store: Store;
  instance: string;
  send: Send;
  rules: string;
  clock: Clock;
  turns: Turns;
  logger: Logger;
  metrics: WebhookMetrics;
  onDelivered: LostDeliveries['note'];
}

export function createDeliveries(options: DeliveriesOptions): WebhookDeliveries {
  const { store, instance, send, rules, clock, turns, logger, metrics, onDelivered } = options;
  const deliveries = new WebhookDeliveries({
    store,
    send,
    rules,
    ...clock,
    random: Math.random,
    stamp: () => stampOf(BY_ITSELF, clock.now(), secureRandomBytes),
    turns,
    instance,
    hooks: {
      ...deliveryHooks(logger, metrics, rules, clock.monotonicMs),
      onAttempt: (endpoint, attempt) => {
        metrics.countAttempt(attempt);
        if (attempt.outcome === 'delivered') onDelivered(endpoint, attempt);
      },
    },
  });
  metrics.watchDeliveries(() => deliveries.status);
  return deliveries;
}

export function reportManaging<Dependencies extends { store: Store; webhooks: WebhookSending }>(
  dependencies: Dependencies,
  deliveries: Pick<WebhookDeliveries, 'noteManaged' | 'noteTested'> | null,
): Dependencies & { webhooks: WebhookSending } {
  const { store } = dependencies;
  const noting = async <Result>(account: string, change: Promise<Result>): Promise<Result> => {
    const result = await change;
    deliveries?.noteManaged(account);
    return result;
  };
  const reporting: Store = {
    ...store,
    createWebhook: (created, ...more) => noting(created.account, store.createWebhook(created, ...more)),
    replaceWebhook: (replaced, ...more) => noting(replaced.account, store.replaceWebhook(replaced, ...more)),
    deleteWebhook: (account, ...more) => noting(account, store.deleteWebhook(account, ...more)),
    retryWebhookFailure: (account, ...more) => noting(account, store.retryWebhookFailure(account, ...more)),
  };
  const onTestDelivered = (endpoint: EndpointName) => deliveries?.noteTested(endpoint);
  return { ...dependencies, store: reporting, webhooks: { ...dependencies.webhooks, onTestDelivered } };
}

/** Endpoints are logged by their ids, because URLs can contain tokens. */
function deliveryHooks(
  logger: Logger,
  metrics: WebhookMetrics,
  ownRules: string,
  monotonicMs: () => number,
): Omit<DeliveryHooks, 'onAttempt'> {
  const errors = new LogInterval(LOG_INTERVAL_MS, monotonicMs);
  const failures = new LogInterval(LOG_INTERVAL_MS, monotonicMs);
  const differences = new LogInterval(LOG_INTERVAL_MS, monotonicMs);
  return {
    onFailure: ({ account, id }, { sequence, error: reason }) => {
      const unlogged = failures.take(id);
      if (unlogged !== undefined)
        logger.warn(
          { account, webhookId: id, sequence, reason, unlogged },
          'a webhook failed: its change is stored as a failure and retried',
        );
    },
    onPaused: ({ account, id }, isPaused) => {
      if (isPaused) logger.warn({ account, webhookId: id }, 'a webhook is paused: its receiver fails');
      else logger.info({ account, webhookId: id }, 'a webhook gets changes again');
    },
    onDisabled: ({ account, id }, reason) => {
      metrics.countDisabled(reason);
      logger.warn({ account, webhookId: id, reason }, 'a webhook was disabled; its position is kept');
    },
    onMovedBack: ({ account, id }, place) => {
      metrics.countMovedBack();
      logger.warn(
        { account, webhookId: id, ...place },
        'the database is in an earlier state than before: a webhook continues after an earlier change',
      );
    },
    onMissing: ({ account, id }, sequence) =>
      logger.warn(
        { account, webhookId: id, sequence },
        'the change of a failure does not exist; the failure was removed',
      ),
    onOtherRules: (rules) => {
      if (differences.take('') !== undefined)
        logger.warn(
          { ownRules, rules },
          'another instance delivers webhooks with other settings: this instance does not deliver',
        );
    },
    onError: (error) => {
      const unlogged = errors.take('');
      if (unlogged !== undefined)
        logger.warn({ err: error, unlogged }, 'could not deliver webhooks; trying again');
    },
  };
}
