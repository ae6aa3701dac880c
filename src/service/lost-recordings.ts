import type { Logger } from 'pino';
import { type ChangeReader, changeId } from '../ledger/changes/change.ts';
import type { MadeChange } from '../ledger/record/record.ts';
import type { Store } from '../store/store.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

/** A read of this many changes takes a few milliseconds. */
const CHANGES_PER_READ = 1000;
/** A second check after this pause finds recordings that were in flight during the first check. */
const PAUSE_MS = 5000;
const RETRY_MS = 500;
const CHECKS_AFTER_RECONNECTING = 2;

const MAX_ACKNOWLEDGED = 10_000;

interface AcknowledgedRecording extends MadeChange {
  account: string;
  reference: string;
  atMs: number;
}

interface LostRecordingsOptions {
  store: Pick<ChangeReader, 'findMissingChanges'> & Pick<Store, 'onReconnected'>;
  logger: Pick<Logger, 'error' | 'warn' | 'flush'>;
  metrics: Pick<StoreMetrics, 'countLostRecordings'>;
  others: readonly { check(signal: AbortSignal): Promise<void> }[];
  sleep?: Sleep;
}

/** Looks for acknowledged writes that the database has lost, for example in a failover or a restore. */
export class LostRecordings {
  readonly #acknowledged: (AcknowledgedRecording | undefined)[] = [];
  #next = 0;
  readonly #options: Required<LostRecordingsOptions>;
  readonly #stopping = new AbortController();
  #waking = new AbortController();
  #checksLeft = 0;
  #hasFailed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LostRecordingsOptions) {
    this.#options = { sleep: sleepUntilAborted, ...options };
  }

  noteChange(account: string, reference: string, { sequence, nonce }: MadeChange): void {
    this.#acknowledged[this.#next] = { account, reference, sequence, nonce, atMs: performance.now() };
    this.#next = (this.#next + 1) % MAX_ACKNOWLEDGED;
  }

  start(): void {
    this.#options.store.onReconnected(() => {
      this.#checksLeft = CHECKS_AFTER_RECONNECTING;
      this.#waking.abort();
    });
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.#checksLeft === 0) await this.#reconnected();
      else await this.#options.sleep(await this.#check(), signal);
    }
  }

  async #reconnected(): Promise<void> {
    this.#waking = new AbortController();
    const woken = AbortSignal.any([this.#stopping.signal, this.#waking.signal]);
    if (!woken.aborted)
      await new Promise<void>((resolve) => woken.addEventListener('abort', () => resolve(), { once: true }));
  }

  async #check(): Promise<number> {
    this.#checksLeft--;
    try {
      const acknowledged = this.#acknowledged.filter((one) => one !== undefined);
      for (const [account, recordings] of Map.groupBy(acknowledged, ({ account }) => account))
        for (let from = 0; from < recordings.length; from += CHANGES_PER_READ) {
          if (this.#stopping.signal.aborted) return 0;
          await this.#findLost(account, recordings.slice(from, from + CHANGES_PER_READ));
        }
      for (const other of this.#options.others) await other.check(this.#stopping.signal);
      this.#hasFailed = false;
      return PAUSE_MS;
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.logger.warn(
          { err: error },
          'could not check the database for lost recordings; trying again',
        );
      this.#hasFailed = true;
      this.#checksLeft++;
      return RETRY_MS;
    }
  }

  async #findLost(account: string, recordings: readonly AcknowledgedRecording[]): Promise<void> {
    const { store, logger, metrics } = this.#options;
    const nowMs = performance.now();
    const changes = recordings.map(({ atMs, ...recording }) => ({ ...recording, ageMs: nowMs - atMs }));
    const places = await store.findMissingChanges(account, changes);
    if (places.length === 0) return;
    metrics.countLostRecordings(places.length);
    for (const place of places) {
      const lost = recordings[place] as AcknowledgedRecording;
      const { reference, sequence, nonce } = lost;
      this.#forget(lost);
      logger.error(
        { account, reference, sequence, changeId: changeId(account, { sequence, nonce }) },
        'the database has lost a recording that was acknowledged: record it again',
      );
    }
    logger.flush();
  }

  #forget(recording: AcknowledgedRecording): void {
    const place = this.#acknowledged.indexOf(recording);
    if (place >= 0) this.#acknowledged[place] = undefined;
  }
}
