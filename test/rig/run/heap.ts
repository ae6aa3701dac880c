import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const READINGS = 10;
const BETWEEN_READINGS_MS = 50;

/** Buffers are freed in the background. So the memory is read several times, until it is below `enough`. */
export async function buffersInUse(enough = 0): Promise<number> {
  let least = process.memoryUsage().arrayBuffers;
  for (let reading = 1; reading <= READINGS && least >= enough; reading++) {
    collectGarbage();
    await delay(BETWEEN_READINGS_MS);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}
