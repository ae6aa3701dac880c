import type { Behind } from '../../operate/copy/copy.ts';

/** Of the rounds in an interval, only the round that was furthest behind is shown. */
export class ShownBehind {
  readonly #everyMs: number;
  #shownAtMs = Number.NEGATIVE_INFINITY;
  #shown: Behind | undefined;
  #most: Behind | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  next(behind: Behind, nowMs: number): Behind | undefined {
    if (behind.changes > (this.#most?.changes ?? 0)) this.#most = behind;
    if (nowMs - this.#shownAtMs < this.#everyMs) return undefined;
    const next = this.#most ?? behind;
    if (next.changes === 0 && this.#shown?.changes === 0) return undefined;
    this.#shownAtMs = nowMs;
    this.#shown = next;
    this.#most = undefined;
    return next;
  }
}
