import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The path of libfaketime, which changes the time a process reads, or undefined if not installed. */
export const FAKETIME = findLibrary();

function findLibrary(): string | undefined {
  for (const folder of readdirSync(LIBRARIES)) {
    const path = join(LIBRARIES, folder, 'faketime');
    try {
      if (readdirSync(path).includes('libfaketime.so.1')) return join(path, 'libfaketime.so.1');
    } catch {
      // Another architecture's folder has no such library.
    }
  }
  return undefined;
}

/** The environment of a process whose clock is shifted by `setOffset`. */
export function shiftedClock(folder: string): {
  env: Record<string, string>;
  setOffset: (seconds: number) => void;
} {
  const file = join(folder, 'offset');
  const setOffset = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  setOffset(0);
  return {
    env: {
      LD_PRELOAD: FAKETIME ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // On a real machine, setting the clock does not change the monotonic one either.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
  };
}
