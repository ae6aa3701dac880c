import { Problem } from './problem.ts';

/** Counts the requests of each key in whole seconds. */
export class RateLimit {
  #secondMs = 0;
  #counts = new Map<string, number>();

  check(keyId: string, requestsPerSecond: number, nowMs: number): void {
    const secondMs = nowMs - (nowMs % 1000);
    if (secondMs !== this.#secondMs) this.#counts.clear();
    this.#secondMs = secondMs;
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    if (count <= requestsPerSecond) return;
    const detail = `The key can send ${requestsPerSecond} requests in a second`;
    throw new Problem('rate_limited', detail, {}, { 'Retry-After': '1' });
  }
}
