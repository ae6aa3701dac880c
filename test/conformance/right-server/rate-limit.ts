import { Problem } from './problem.ts';

/** Counts the requests of each key in whole seconds. */
export class RateLimit {
  #secondMs = 0;
  #counts = new Map<string, number>();

  /** Returns the headers of a request that is accepted. */
  check(keyId: string, requestsPerSecond: number, nowMs: number): Record<string, string> {
    const secondMs = nowMs - (nowMs % 1000);
    if (secondMs !== this.#secondMs) this.#counts.clear();
    this.#secondMs = secondMs;
    const count = (this.#counts.get(keyId) ?? 0) + 1;
    this.#counts.set(keyId, count);
    const headers = {
      'RateLimit-Policy': `"key";q=${requestsPerSecond};w=1`,
      RateLimit: `"key";r=${Math.max(0, requestsPerSecond - count)};t=1`,
    };
    if (count <= requestsPerSecond) return headers;
    const detail = `The key can send ${requestsPerSecond} requests in a second`;
    throw new Problem('rate_limited', detail, {}, { ...headers, 'Retry-After': '1' });
  }
}
