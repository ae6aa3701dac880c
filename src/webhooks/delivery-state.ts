import type { Change } from '../ledger/changes/change.ts';
import type { DeliveryPlace } from './delivery-place.ts';
import type { FreshChanges } from './fresh-changes.ts';
import type { KeptFailures } from './kept-failures.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { DeliverableEndpoint, WebhookFailure } from './webhook.ts';

/** Attempts in flight to an endpoint. An ordered one has one. */
export const WINDOW = 8;
/** With so many failures, an endpoint keeps no more: it goes on as an ordered one. */
export const MAX_FAILURES = 1000;

/** An attempt that can begin, or is in flight. */
export interface Work {
  sequence: number;
  /** Null for a kept failure, whose change has to be read. */
  change: Change | null;
  /** What is kept of the change when the attempt begins; undefined if it is no failure. */
  failure: WebhookFailure | undefined;
  /** Whether it shows if a receiver that was down is up again. */
  isProbe: boolean;
}

/** Where the deliveries to an endpoint are. */
export interface DeliveryState {
  readonly endpoint: DeliverableEndpoint;
  readonly place: DeliveryPlace;
  readonly fresh: FreshChanges;
  readonly failures: KeptFailures;
  readonly receiver: ReceiverState;
  /** The acknowledged sequence that is certainly stored. */
  readonly progress: { readonly acknowledged: number };
  readonly working: ReadonlyMap<number, Work>;
}
