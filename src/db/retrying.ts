import { setTimeout as delay } from 'node:timers/promises';

export async function retrying<Result>(
  isTemporary: (error: unknown) => boolean,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const giveUpAtMs = performance.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error) || performance.now() > giveUpAtMs) throw error;
      await delay(everyMs);
    }
  }
}
