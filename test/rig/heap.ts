import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of the heap after a garbage collection. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const READINGS = 10;
const BETWEEN_READINGS_MS = 50;

/** The bytes of buffers outside the heap. They are freed in the background, so this is the least of several readings. */
export async function buffersInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let reading = 1; reading <= READINGS; reading++) {
    collectGarbage();
    await delay(BETWEEN_READINGS_MS);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}
