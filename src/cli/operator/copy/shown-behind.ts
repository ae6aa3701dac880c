import type { Behind } from '../../../operate/copy/follow-source.ts';

const SHOWN_EVERY_MS = 1000;

/** Chooses which rounds of a copy that follows are shown: one a second, and none twice. */
export class ShownBehind {
  #shownAtMs = Number.NEGATIVE_INFINITY;
  #shown: Behind | undefined;
  /** The round that was furthest behind since one was shown. */
  #most: Behind | undefined;

  /** What is shown after a round, if anything. */
  next(behind: Behind, nowMs: number): Behind | undefined {
    if (behind.changes > (this.#most?.changes ?? 0)) this.#most = behind;
    if (nowMs - this.#shownAtMs < SHOWN_EVERY_MS) return undefined;
    const next = { ...(this.#most ?? behind), compared: behind.compared };
    if (next.changes === 0 && this.#shown !== undefined && isSame(next, this.#shown)) return undefined;
    this.#shownAtMs = nowMs;
    this.#shown = next;
    this.#most = undefined;
    return next;
  }
}

const isSame = (left: Behind, right: Behind) =>
  left.changes === right.changes &&
  left.compared.accounts === right.compared.accounts &&
  left.compared.of === right.compared.of;
