const MAX_KEYS = 1000;

export class LogInterval {
  readonly #intervalMs: number;
  readonly #monotonicMs: () => number;
  readonly #keys = new Map<string, { untilMs: number; unlogged: number }>();

  constructor(intervalMs: number, monotonicMs: () => number) {
    this.#intervalMs = intervalMs;
    this.#monotonicMs = monotonicMs;
  }

  take(key: string): number | undefined {
    const nowMs = this.#monotonicMs();
    const before = this.#keys.get(key);
    if (before !== undefined && nowMs < before.untilMs) {
      before.unlogged++;
      return undefined;
    }
    this.#forget(nowMs);
    this.#keys.set(key, { untilMs: nowMs + this.#intervalMs, unlogged: 0 });
    return before?.unlogged ?? 0;
  }

  #forget(nowMs: number): void {
    for (const [key, { untilMs, unlogged }] of this.#keys)
      if (nowMs >= untilMs && (unlogged === 0 || this.#keys.size > MAX_KEYS)) this.#keys.delete(key);
  }
}
