import { setTimeout as delay } from 'node:timers/promises';

/** Repeats the work after errors that end by themselves. */
export async function retrying<Result>(
  isPassing: (error: unknown) => boolean,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const giveUpAtMs = performance.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() > giveUpAtMs) throw error;
      await delay(everyMs);
    }
  }
}
