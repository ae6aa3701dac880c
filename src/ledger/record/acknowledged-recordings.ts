import type { MadeChange } from './transaction-recorder.ts';

/** How many recordings are remembered. */
const MAX_ACKNOWLEDGED = 10_000;

/** A change that was recorded, and whose caller was told so. */
export interface AcknowledgedRecording extends MadeChange {
  account: string;
  reference: string;
  /** How long ago the recording was acknowledged. */
  ageMs: number;
}

/** The last recordings of this process, so that those which the database loses later can be named. */
export class AcknowledgedRecordings {
  readonly #size: number;
  /** An empty account: none. */
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

  /** Remembers a recording in the place of the oldest one. `nowMs` is by the monotonic clock. */
  note(account: string, reference: string, { sequence, nonce }: MadeChange, nowMs: number): void {
    const place = this.#next;
    this.#accounts[place] = account;
    this.#references[place] = reference;
    this.#sequences[place] = sequence;
    this.#nonces[place] = nonce;
    this.#acknowledgedAtMs[place] = nowMs;
    this.#next = place + 1 === this.#size ? 0 : place + 1;
  }

  /** The recordings of each account, the oldest first. `nowMs` is by the monotonic clock. */
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
