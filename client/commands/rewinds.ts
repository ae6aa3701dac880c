import type { Change, ChangeQuery, RewindableCopy } from '../src/index.ts';

/** 100,000 ids take about 10 MB of memory. */
const MAX_IDS = 100_000;

/** The service was restored from a backup, and has lost the changes `lastSequence` + 1 to `from`. */
export interface Rewind {
  from: number;
  lastSequence: number;
  lastId: string | null;
}

export class ReadChanges implements RewindableCopy {
  readonly #onRewind: (rewind: Rewind) => void | Promise<void>;
  readonly #ids = new Map<number, string>();
  #last: number;

  constructor(
    { after = 0, afterId }: Pick<ChangeQuery, 'after' | 'afterId'>,
    onRewind: (rewind: Rewind) => void | Promise<void>,
  ) {
    this.#onRewind = onRewind;
    this.#last = after;
    if (afterId !== undefined) this.#ids.set(after, afterId);
  }

  add(...changes: readonly Pick<Change, 'sequence' | 'id'>[]): void {
    for (const { sequence, id } of changes) {
      this.#ids.set(sequence, id);
      this.#ids.delete(sequence - MAX_IDS);
      this.#last = sequence;
    }
  }

  idAt(sequence: number): string | null {
    return this.#ids.get(sequence) ?? null;
  }

  async rewindTo(lastSequence: number): Promise<void> {
    const from = this.#last;
    for (let lost = from; lost > lastSequence; lost--) this.#ids.delete(lost);
    this.#last = lastSequence;
    await this.#onRewind({ from, lastSequence, lastId: this.idAt(lastSequence) });
  }
}

export function rewindText({ from, lastSequence }: Rewind): string {
  const lost = from === lastSequence + 1 ? `Change ${from}` : `Changes ${lastSequence + 1} to ${from}`;
  const verb = from === lastSequence + 1 ? 'exists' : 'exist';
  return `${lost} no longer ${verb}: the service was restored from a backup. Continuing after change ${lastSequence}.`;
}
