import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the heap that something still holds on to: what is garbage is swept first. */
export function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const LOOKS = 10;
const BETWEEN_LOOKS_MS = 50;

/** Bytes outside of the heap that something still holds on to. What is garbage is swept beside the program, and counts until then. */
export async function buffersInUse(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 1; look <= LOOKS; look++) {
    collectGarbage();
    await delay(BETWEEN_LOOKS_MS);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}
