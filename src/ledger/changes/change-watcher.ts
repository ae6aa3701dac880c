import { FairSlots } from '../../../values/fair-slots.ts';
import { Problem } from '../../../values/problem.ts';
import { withinTime } from '../../../values/time-limit.ts';
import type { ChangeReader } from './change.ts';

export const CHECK_INTERVAL_MS = 100;
/** Every third check also reads the latest sequence numbers, because other processes record changes too. */
const CHECKS_PER_POLL = 3;
/** A query that takes longer than this is abandoned, so that the next query can run. */
const POLL_TIMEOUT_MS = 2000;

/** Half of MAX_CONNECTIONS, so that other requests can connect. 5000 waiting callers take about 100 MB. */
const MAX_WAITING = 5000;
const MAX_WAITING_OF_ACCOUNT = 1000;

/** `refused`: the caller's key was revoked or expired. `gone`: the caller closed the connection. */
export type WaitEnd = 'change' | 'timeout' | 'refused' | 'gone' | 'stopped';

const RETRY_SECONDS = 1;

const tooManyWaiting = () =>
  new Problem(
    'too_many_waiting',
    `The account already has 1,000 requests that wait for changes. Without wait, the request is answered at once. Try again in ${RETRY_SECONDS} s, or when one of them has ended.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  );

export interface WaitOptions {
  after: number;
  /** By the monotonic clock. */
  untilMs: number;
  /** False if the caller's key is known to be revoked or expired. Must not query the database. */
  isAdmitted: () => boolean;
}

interface ChangeWatcherOptions {
  reader: Pick<ChangeReader, 'readHeads'>;
  monotonicMs: () => number;
  /** Called when a poll fails and the previous poll did not. */
  onPollFailed?: (error: unknown) => void;
}

interface Waiting extends WaitOptions {
  end: (reason: WaitEnd) => void;
}

export class ChangeWatcher {
  readonly #reader: Pick<ChangeReader, 'readHeads'>;
  readonly #monotonicMs: () => number;
  readonly #onPollFailed: (error: unknown) => void;
  readonly #slots = new FairSlots(MAX_WAITING, { most: MAX_WAITING_OF_ACCOUNT, refusal: tooManyWaiting });
  readonly #observations = new Map<string, Set<Observation>>();
  #timer: NodeJS.Timeout | undefined;
  #checks = 0;
  #isPolling = false;
  #hasFailed = false;
  #isStopped = false;

  constructor({ reader, monotonicMs, onPollFailed = () => {} }: ChangeWatcherOptions) {
    this.#reader = reader;
    this.#monotonicMs = monotonicMs;
    this.#onPollFailed = onPollFailed;
  }

  get waiting(): number {
    return this.#slots.taken;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  noteRecorded(account: string): void {
    const nowMs = this.#monotonicMs();
    for (const observation of this.#observations.get(account) ?? []) observation.noteRecorded(nowMs);
  }

  /** Close the observation after use. */
  observe(account: string): Observation {
    let observations = this.#observations.get(account);
    if (observations === undefined) {
      observations = new Set();
      this.#observations.set(account, observations);
    }
    const observation = new Observation({
      onWait: () => this.#beginWaiting(account),
      onWaitEnd: () => this.#endWaiting(account),
      onClosed: () => this.#forget(account, observation),
    });
    observations.add(observation);
    return observation;
  }

  stop(): void {
    this.#isStopped = true;
    this.#endAll(() => 'stopped');
  }

  #beginWaiting(account: string): WaitEnd | undefined {
    if (this.#isStopped) return 'stopped';
    this.#slots.takeFree(account, 'waiting_limit');
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    return undefined;
  }

  #endWaiting(account: string): void {
    this.#slots.giveBack(account);
    if (this.waiting > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forget(account: string, observation: Observation): void {
    const observations = this.#observations.get(account);
    observations?.delete(observation);
    if (observations?.size === 0) this.#observations.delete(account);
  }

  #check(): void {
    const nowMs = this.#monotonicMs();
    this.#endAll(({ untilMs, isAdmitted }) => {
      if (!isAdmitted()) return 'refused';
      return nowMs >= untilMs ? 'timeout' : undefined;
    });
    this.#checks++;
    if (this.#checks % CHECKS_PER_POLL === 0 && !this.#isPolling && this.waiting > 0) void this.#poll();
  }

  #endAll(reasonOf: (waiting: Waiting) => WaitEnd | undefined): void {
    for (const observations of this.#observations.values()) {
      for (const { waiting } of observations) {
        const reason = waiting && reasonOf(waiting);
        if (reason !== undefined) waiting?.end(reason);
      }
    }
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    try {
      const accounts = [...this.#observations.keys()];
      const heads = await withinTime(this.#reader.readHeads(accounts), POLL_TIMEOUT_MS);
      this.#hasFailed = false;
      for (const [account, headSequence] of heads) {
        for (const { waiting } of this.#observations.get(account) ?? [])
          if (waiting !== undefined && headSequence > waiting.after) waiting.end('change');
      }
    } catch (error) {
      // The callers keep waiting. Each of them reads the changes anyway when its time limit is reached.
      if (!this.#hasFailed) this.#onPollFailed(error);
      this.#hasFailed = true;
    } finally {
      this.#isPolling = false;
    }
  }
}

interface ObservationEvents {
  onWait: () => WaitEnd | undefined;
  onWaitEnd: () => void;
  onClosed: () => void;
}

class Observation {
  readonly #events: ObservationEvents;
  #recordedAtMs: number | undefined;
  #isClosed = false;
  waiting: Waiting | undefined;

  constructor(events: ObservationEvents) {
    this.#events = events;
  }

  /** When this process first recorded a change after `clear`, by the monotonic clock; undefined if never. */
  get recordedAtMs(): number | undefined {
    return this.#recordedAtMs;
  }

  noteRecorded(nowMs: number): void {
    this.#recordedAtMs ??= nowMs;
    this.waiting?.end('change');
  }

  /** Call this before the changes are read, so that a recording during the read is noticed. */
  clear(): void {
    this.#recordedAtMs = undefined;
  }

  async wait(options: WaitOptions): Promise<WaitEnd> {
    if (this.#isClosed) return 'gone';
    if (this.#recordedAtMs !== undefined) return 'change';
    const endsAtOnce = this.#events.onWait();
    if (endsAtOnce !== undefined) return endsAtOnce;
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const end = (reason: WaitEnd) => {
      if (this.waiting === undefined) return;
      this.waiting = undefined;
      this.#events.onWaitEnd();
      resolve(reason);
    };
    this.waiting = { ...options, end };
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    this.waiting?.end('gone');
    this.#events.onClosed();
  }
}
