import type { AuditStamp } from '../../audit/audit.ts';
import type { ChangeReader, NumberedNonce } from '../../ledger/changes/change.ts';
import type { AccountWatching } from '../../ledger/changes/changes.ts';
import type { NodesOfAccounts } from '../../ledger/record/record.ts';
import type { Send } from '../send.ts';
import type {
  DisabledReason,
  EndpointName,
  WebhookDeliverer,
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

/** Reports for metrics and the log. No method throws. */
export interface DeliveryHooks {
  onAttempt(
    endpoint: EndpointName,
    attempt: NumberedNonce & { outcome: AttemptOutcome; durationMs: number },
  ): void;
  /** A change was stored as a failure. Later attempts for this change are not reported. */
  onFailure(endpoint: EndpointName, failure: WebhookFailure): void;
  /** The endpoint was paused because its receiver fails, or was resumed. */
  onPaused(endpoint: EndpointName, isPaused: boolean): void;
  onDisabled(endpoint: EndpointName, reason: DisabledReason): void;
  /**
   * The database was restored to an older state. Deliveries continue after change `to`, so some changes can
   * be delivered twice.
   */
  onMovedBack(endpoint: EndpointName, place: { from: number; to: number }): void;
  /** The change of a failure does not exist in this database, so the failure is removed. */
  onMissing(endpoint: EndpointName, sequence: number): void;
  /**
   * An instance with different rules (see LeaseRequest) has the lease, or had it last, so this instance does
   * not deliver. Called repeatedly.
   */
  onOtherRules(rules: string): void;
  /** A call failed, usually of the database. It is tried again. */
  onError(error: unknown): void;
}

export interface DeliveryDependencies {
  store: DeliveryStore;
  send: Send;
  /** The wall clock, which can be set. */
  now: () => number;
  monotonicMs: () => number;
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
  /** Call when the endpoints of an account must be read again soon. */
  refresh: (account: string) => void;
  /**
   * Call when the progress of an endpoint is stored. `before` is the acknowledged sequence stored until then.
   */
  noteStored: (endpoint: EndpointName, before: number) => void;
}

export interface DeliveryStatus {
  endpoints: number;
  paused: number;
  failures: number;
  inFlight: number;
  /** Unacknowledged changes of endpoints that do not wait for their receivers: see waitsForReceiver. */
  lagChanges: number;
  /** The age of the oldest of these changes that was read. */
  lagMs: number;
  /** Unacknowledged changes of endpoints that wait for their receivers. */
  pausedChanges: number;
  /** True if the instance that has the lease, or had it last, has different rules. */
  hasOtherRules: boolean;
}
