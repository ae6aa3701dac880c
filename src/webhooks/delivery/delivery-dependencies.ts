import type { AuditStamp } from '../../audit/audit.ts';
import type { ChangeReader, NumberedNonce } from '../../ledger/changes/change.ts';
import type { AccountWatching } from '../../ledger/changes/changes.ts';
import type { NodesOfAccounts } from '../../ledger/record/record.ts';
import type { Send } from '../send.ts';
import type {
  DisabledReason,
  WebhookDeliverer,
  WebhookEndpoint,
  WebhookFailure,
  WebhookManager,
} from '../webhook.ts';
import type { AttemptSlots, ReadQueue } from './attempt-slots.ts';
import type { AttemptOutcome, RandomNumber } from './attempts.ts';

export type DeliveryStore = WebhookDeliverer &
  Pick<WebhookManager, 'findWebhook' | 'listWebhookFailures' | 'replaceWebhook'> &
  Pick<ChangeReader, 'listChanges' | 'readHeads'> &
  AccountWatching &
  NodesOfAccounts;

export interface DeliveryClock {
  /** The wall clock, which can be set. */
  now: () => number;
  monotonicMs: () => number;
}

export type EndpointName = Pick<WebhookEndpoint, 'account' | 'id'>;

/** For metrics and the log. No method throws. */
export interface DeliveryHooks {
  onAttempt(
    endpoint: EndpointName,
    attempt: NumberedNonce & { outcome: AttemptOutcome; durationMs: number },
  ): void;
  /** A change is kept as a failure. Later attempts for it are not reported. */
  onFailure(endpoint: EndpointName, failure: WebhookFailure): void;
  /** The endpoint is paused because its receiver fails, or gets changes again. */
  onPaused(endpoint: EndpointName, isPaused: boolean): void;
  onDisabled(endpoint: EndpointName, reason: DisabledReason): void;
  /**
   * The database has an older state than before: deliveries continue after `to`, and changes can be delivered
   * twice.
   */
  onMovedBack(endpoint: EndpointName, place: { from: number; to: number }): void;
  /** The change of a failure does not exist in this database: the failure is removed. */
  onMissing(endpoint: EndpointName, sequence: number): void;
  /**
   * Another instance with other rules has the lease, or had it last, so this one does not deliver. Called
   * repeatedly.
   */
  onOtherRules(rules: string): void;
  /** Something failed and is tried again: the database, mostly. */
  onError(error: unknown): void;
}

/** The dependencies that the deliveries of all endpoints share. */
export interface DeliveryDependencies extends DeliveryClock {
  store: DeliveryStore;
  send: Send;
  random: RandomNumber;
  /** Stamps the audit entries of actions without a request. */
  stamp: () => AuditStamp;
  hooks: DeliveryHooks;
  slots: AttemptSlots;
  reads: ReadQueue;
  /** True if this instance may deliver now. */
  isLeased: () => boolean;
  /** How many endpoints have progress that waits to be stored. */
  pace: { waiting: number };
  /** The endpoints of an account have to be read again soon. */
  refresh: (account: string) => void;
  /** The progress of an endpoint is stored. `before`: the progress that was stored until then. */
  noteStored: (endpoint: EndpointName, before: number) => void;
}

/** The current work of this instance's deliveries. */
export interface DeliveryStatus {
  endpoints: number;
  paused: number;
  failures: number;
  inFlight: number;
  /** Recorded changes that are not acknowledged, of the endpoints that do not wait for their receivers. */
  lagChanges: number;
  /** How long the oldest of them has waited, as far as they are read. */
  lagMs: number;
  /** Changes that are recorded and not acknowledged, of the endpoints that wait for their receivers. */
  pausedChanges: number;
  /** True if the instance that has the lease, or had it last, has other rules than this one. */
  hasOtherRules: boolean;
}
