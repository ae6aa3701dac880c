import { setTimeout as delay } from 'node:timers/promises';

/** The times of requests that were sent at a fixed rate, in milliseconds from the scheduled time of each. */
export interface SteadyResult {
  count: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
}

/** Sends requests at a fixed rate, whether or not earlier ones were answered, while `isWanted`. `send` resolves to whether its request succeeded. */
export async function sendSteadily(
  perSecond: number,
  isWanted: () => boolean,
  send: (index: number) => Promise<boolean>,
): Promise<SteadyResult> {
  const startedAtMs = performance.now();
  const tookMs: number[] = [];
  const inFlight = new Set<Promise<void>>();
  let failed = 0;
  for (let index = 0; isWanted(); index++) {
    const scheduledAtMs = startedAtMs + (index * 1000) / perSecond;
    await delay(Math.max(0, scheduledAtMs - performance.now()));
    const sent = send(index)
      .then((succeeded) => {
        if (succeeded) tookMs.push(performance.now() - scheduledAtMs);
        else failed++;
      })
      .catch(() => void failed++)
      .finally(() => inFlight.delete(sent));
    inFlight.add(sent);
  }
  await Promise.all(inFlight);
  const rising = tookMs.sort((left, right) => left - right);
  const at = (share: number) => rising[Math.floor(rising.length * share)] ?? 0;
  return { count: rising.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: rising.at(-1) ?? 0 };
}

/** Wanted for a time from now. */
export function forSeconds(seconds: number): () => boolean {
  const endsAtMs = performance.now() + seconds * 1000;
  return () => performance.now() < endsAtMs;
}
