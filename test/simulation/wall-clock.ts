/** The least and the greatest time that a wall clock showed in an interval. */
export interface WallInterval {
  minMs: number;
  maxMs: number;
}

/** A wall clock that can be set while time passes. */
export class WallClock {
  readonly #elapsedMs: () => number;
  readonly #settings: { sinceMs: number; offsetMs: number }[] = [
    { sinceMs: 0, offsetMs: Date.UTC(2026, 5, 15, 12) },
  ];

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  now(): number {
    return this.#elapsedMs() + this.#offsetMs();
  }

  jump(byMs: number): void {
    this.#settings.push({ sinceMs: this.#elapsedMs(), offsetMs: this.#offsetMs() + byMs });
  }

  /** What the clock showed between two times of the simulation. */
  between(startedMs: number, endedMs: number): WallInterval {
    const times = this.#settings.flatMap(({ sinceMs, offsetMs }, index) => {
      const first = Math.max(sinceMs, startedMs);
      const last = Math.min(this.#settings[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY, endedMs);
      return first <= last ? [first + offsetMs, last + offsetMs] : [];
    });
    return { minMs: Math.min(...times), maxMs: Math.max(...times) };
  }

  #offsetMs(): number {
    return this.#settings.at(-1)?.offsetMs as number;
  }
}
