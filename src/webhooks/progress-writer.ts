import { withinTime } from '../values/time-limit.ts';
import type { DeliveryPlace } from './delivery-place.ts';
import type { KeptFailures } from './kept-failures.ts';
import type { ReceiverState } from './receiver-state.ts';
import type { WebhookDeliverer, WebhookEndpoint, WebhookProgress } from './webhook.ts';

/** A call of the database that takes longer counts as failed. It may take effect later. */
export const CALL_TIMEOUT_MS = 3000;
/** Progress waits so long to be stored, together with what is achieved meanwhile. */
const DELAY_MS = 1000;
/** And longer for each other endpoint whose progress waits, so that a thousand of them are some hundred writes a second. */
const DELAY_OF_ANOTHER_MS = 5;
const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;

/** How long progress waits, over all endpoints. */
export class ProgressPace {
  /** The endpoints whose progress waits. */
  waiting = 0;

  get delayMs(): number {
    return DELAY_MS + DELAY_OF_ANOTHER_MS * this.waiting;
  }
}

export interface ProgressSource {
  readonly endpoint: WebhookEndpoint;
  readonly place: DeliveryPlace;
  readonly failures: KeptFailures;
  readonly receiver: ReceiverState;
}

export interface ProgressWriterOptions {
  store: Pick<WebhookDeliverer, 'storeProgress'>;
  source: ProgressSource;
  pace: ProgressPace;
  /** Progress was stored, or could not be. */
  onWritten: (error?: unknown) => void;
  /** The endpoint was set back or removed: what was done since is not stored. */
  onRefused: () => void;
}

/** Stores what deliveries to an endpoint achieve, in one write for a time: never for each delivery. */
export class ProgressWriter {
  readonly #options: ProgressWriterOptions;
  #acknowledged: number;
  #failingSinceMs: number | null;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failedWrites = 0;
  #isStopped = false;

  constructor(options: ProgressWriterOptions) {
    this.#options = options;
    const { acknowledgedSequence, failingSinceMs } = options.source.endpoint;
    this.#acknowledged = acknowledgedSequence;
    this.#failingSinceMs = failingSinceMs;
  }

  /** The acknowledged sequence that is certainly stored. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Another instance, or a write without an answer, stored it. */
  noteStored(acknowledged: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, acknowledged);
  }

  get #isUnsaved(): boolean {
    const { place, failures, receiver } = this.#options.source;
    return (
      place.acknowledged > this.#acknowledged ||
      receiver.failingSinceMs !== this.#failingSinceMs ||
      failures.hasUnsaved
    );
  }

  /** Call when there may be progress. */
  note(): void {
    if (this.#timer !== undefined || this.#writing !== undefined || this.#isStopped || !this.#isUnsaved)
      return;
    const { pace } = this.#options;
    const retryMs = Math.min(MIN_RETRY_MS * 2 ** this.#failedWrites, MAX_RETRY_MS);
    const delayMs = this.#failedWrites === 0 ? pace.delayMs : retryMs;
    pace.waiting++;
    this.#timer = setTimeout(() => {
      this.#clearTimer();
      void this.#write();
    }, delayMs);
  }

  #clearTimer(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.pace.waiting--;
  }

  /** Stores nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#clearTimer();
  }

  /** Stores all progress now, if it can, and nothing afterwards. */
  async finish(): Promise<void> {
    await this.#writing;
    if (!this.#isStopped && this.#isUnsaved) await this.#write();
    this.stop();
  }

  #write(): Promise<void> {
    this.#writing = this.#store().finally(() => {
      this.#writing = undefined;
      this.note();
    });
    return this.#writing;
  }

  async #store(): Promise<void> {
    const { store, source, onWritten, onRefused } = this.#options;
    const { account, id } = source.endpoint;
    const unsaved = source.failures.unsaved();
    const progress: WebhookProgress = {
      after: this.#acknowledged,
      acknowledgedSequence: source.place.acknowledged,
      nonce: source.place.nonce,
      failingSinceMs: source.receiver.failingSinceMs,
      ...unsaved,
    };
    try {
      const storing = store.storeProgress(account, id, source.failures.version, progress);
      const isStored = await withinTime(storing, CALL_TIMEOUT_MS);
      this.#failedWrites = 0;
      if (isStored) {
        this.noteStored(progress.acknowledgedSequence);
        this.#failingSinceMs = progress.failingSinceMs;
        source.failures.saved(unsaved);
        onWritten();
      } else if (!this.#isStopped) {
        this.stop();
        onRefused();
      }
    } catch (error) {
      this.#failedWrites++;
      onWritten(error);
    }
  }
}
