import type { Logger } from 'pino';
import { type ChangeReader, changeId } from '../ledger/changes/change.ts';
import type { MadeChange } from '../ledger/record/record.ts';
import type { Store } from '../store/store.ts';
import { type Sleep, sleepUntilAborted } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

/** A read of this many changes takes a few milliseconds. */
const CHANGES_PER_READ = 1000;
/**
 * The pause between two checks. The second check finds recordings that were in flight during the first. The
 * pause also keeps an unstable network from causing many checks.
 */
const PAUSE_MS = 5000;
const RETRY_MS = 500;
const LOOKS_AFTER_RECONNECTING = 2;

/** How many recordings are remembered. */
const MAX_ACKNOWLEDGED = 10_000;

interface AcknowledgedRecording extends MadeChange {
  account: string;
  reference: string;
  /** How long ago the recording was acknowledged. */
  ageMs: number;
}

/** The last recordings of this process, so that those lost by the database later can be named. */
export class AcknowledgedRecordings {
  readonly #size: number;
  /** An empty text is an unused place. */
  readonly #accounts: string[];
  readonly #references: string[];
  readonly #sequences: Float64Array;
  readonly #nonces: Float64Array;
  readonly #acknowledgedAtMs: Float64Array;
  #next = 0;

  constructor(size = MAX_ACKNOWLEDGED) {
    this.#size = size;
    this.#accounts = new Array(size).fill('');
    this.#references = new Array(size).fill('');
    this.#sequences = new Float64Array(size);
    this.#nonces = new Float64Array(size);
    this.#acknowledgedAtMs = new Float64Array(size);
  }

  /** Remembers a recording in place of the oldest one. `nowMs` comes from the monotonic clock. */
  note(account: string, reference: string, { sequence, nonce }: MadeChange, nowMs: number): void {
    const place = this.#next;
    this.#accounts[place] = account;
    this.#references[place] = reference;
    this.#sequences[place] = sequence;
    this.#nonces[place] = nonce;
    this.#acknowledgedAtMs[place] = nowMs;
    this.#next = place + 1 === this.#size ? 0 : place + 1;
  }

  /** The recordings of each account, oldest first. `nowMs` comes from the monotonic clock. */
  byAccount(nowMs: number): Map<string, AcknowledgedRecording[]> {
    const all = Array.from({ length: this.#size }, (_, age) =>
      this.#at((this.#next + age) % this.#size, nowMs),
    );
    return Map.groupBy(
      all.filter(({ account }) => account !== ''),
      ({ account }) => account,
    );
  }

  forget(recordings: readonly AcknowledgedRecording[]): void {
    const forgotten = new Set(recordings.map(keyOf));
    for (const place of this.#accounts.keys())
      if (forgotten.has(keyOf(this.#at(place, 0)))) this.#accounts[place] = '';
  }

  #at(place: number, nowMs: number): AcknowledgedRecording {
    return {
      account: this.#accounts[place] as string,
      reference: this.#references[place] as string,
      sequence: this.#sequences[place] as number,
      nonce: this.#nonces[place] as number,
      ageMs: nowMs - (this.#acknowledgedAtMs[place] as number),
    };
  }
}

const keyOf = ({ account, sequence, nonce }: AcknowledgedRecording) => `${account} ${sequence} ${nonce}`;

interface LostRecordingsOptions {
  store: Pick<ChangeReader, 'findMissingChanges'> & Pick<Store, 'onReconnected'>;
  logger: Pick<Logger, 'error' | 'warn' | 'flush'>;
  metrics: Pick<StoreMetrics, 'countLostRecordings'>;
  /** Other checks for losses, which run with this one. */
  others: readonly { look(signal: AbortSignal): Promise<void> }[];
  sleep?: Sleep;
}

/**
 * Whenever the database was away, checks that it still has the last recordings, ends and removals that this
 * process acknowledged. A promoted standby or a restored backup can lack some. Logs each loss once.
 */
export class LostRecordings {
  readonly #acknowledged = new AcknowledgedRecordings();
  readonly #options: Required<LostRecordingsOptions>;
  readonly #stopping = new AbortController();
  #waking = new AbortController();
  #looksLeft = 0;
  #hasFailed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LostRecordingsOptions) {
    this.#options = { sleep: sleepUntilAborted, ...options };
  }

  noteChange(account: string, reference: string, change: MadeChange): void {
    this.#acknowledged.note(account, reference, change, performance.now());
  }

  start(): void {
    this.#options.store.onReconnected(() => {
      this.#looksLeft = LOOKS_AFTER_RECONNECTING;
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
      if (this.#looksLeft === 0) await this.#reconnected();
      else await this.#options.sleep(await this.#look(), signal);
    }
  }

  async #reconnected(): Promise<void> {
    this.#waking = new AbortController();
    const woken = AbortSignal.any([this.#stopping.signal, this.#waking.signal]);
    if (!woken.aborted)
      await new Promise<void>((resolve) => woken.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Returns how long to wait before the next check. */
  async #look(): Promise<number> {
    this.#looksLeft--;
    try {
      for (const [account, recordings] of this.#acknowledged.byAccount(performance.now()))
        for (let from = 0; from < recordings.length; from += CHANGES_PER_READ) {
          if (this.#stopping.signal.aborted) return 0;
          await this.#lookFor(account, recordings.slice(from, from + CHANGES_PER_READ));
        }
      for (const other of this.#options.others) await other.look(this.#stopping.signal);
      this.#hasFailed = false;
      return PAUSE_MS;
    } catch (error) {
      if (!this.#hasFailed)
        this.#options.logger.warn(
          { err: error },
          'could not check the database for lost recordings; trying again',
        );
      this.#hasFailed = true;
      this.#looksLeft++;
      return RETRY_MS;
    }
  }

  async #lookFor(account: string, recordings: readonly AcknowledgedRecording[]): Promise<void> {
    const { store, logger, metrics } = this.#options;
    const places = await store.findMissingChanges(account, recordings);
    if (places.length === 0) return;
    const lost = places.map((place) => recordings[place] as AcknowledgedRecording);
    this.#acknowledged.forget(lost);
    metrics.countLostRecordings(lost.length);
    for (const { reference, sequence, nonce } of lost)
      logger.error(
        { account, reference, sequence, changeId: changeId(account, { sequence, nonce }) },
        'the database has lost a recording that was acknowledged: record it again',
      );
    logger.flush();
  }
}
