import type { Sleep } from '../../../src/service/sleep.ts';

type Stop = () => Promise<void>;

export async function repeatUntil(isDone: () => boolean, start: (sleep: Sleep) => Stop | Promise<Stop>) {
  const done = Promise.withResolvers<void>();
  const sleep: Sleep = async (_, signal) => {
    if (!isDone()) return;
    done.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const stop = await start(sleep);
  await done.promise;
  await stop();
}
