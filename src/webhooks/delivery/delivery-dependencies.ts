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

/** No method throws. */
export interface DeliveryHooks {
  onAttempt(
    endpoint: EndpointName,
    attempt: NumberedNonce & { outcome: AttemptOutcome; durationMs: number },
  ): void;
  /** Only the first failed attempt of a change is reported. */
  onFailure(endpoint: EndpointName, failure: WebhookFailure): void;
  onPaused(endpoint: EndpointName, isPaused: boolean): void;
  onDisabled(endpoint: EndpointName, reason: DisabledReason): void;
  /** The position moves back, because an older database was restored. Changes can then be delivered twice. */
  onMovedBack(endpoint: EndpointName, place: { from: number; to: number }): void;
  /** A failure was removed, because its change is not in this database. */
  onMissing(endpoint: EndpointName, sequence: number): void;
  onOtherRules(rules: string): void;
  onError(error: unknown): void;
}

export interface DeliveryDependencies {
  store: DeliveryStore;
  send: Send;
  now: () => number;
  monotonicMs: () => number;
  random: RandomNumber;
  stamp: () => AuditStamp;
  hooks: DeliveryHooks;
  slots: AttemptSlots;
  reads: ReadQueue;
  isLeased: () => boolean;
  pace: { waiting: number };
  refresh: (account: string) => void;
  noteStored: (endpoint: EndpointName, acknowledgedBefore: number) => void;
}

export interface DeliveryStatus {
  endpoints: number;
  paused: number;
  failures: number;
  inFlight: number;
  lagChanges: number;
  /** The age of the oldest unacknowledged change that was read. */
  lagMs: number;
  /** Unacknowledged changes of endpoints that wait for their receivers. They are not in `lagChanges`. */
  pausedChanges: number;
  hasOtherRules: boolean;
}
