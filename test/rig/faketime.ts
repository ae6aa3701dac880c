import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARIES = '/usr/lib';

/** The library that shows a process another time, or undefined where it is not installed. */
export const FAKETIME = findLibrary();

function findLibrary(): string | undefined {
  for (const folder of readdirSync(LIBRARIES)) {
    const path = join(LIBRARIES, folder, 'faketime');
    try {
      if (readdirSync(path).includes('libfaketime.so.1')) return join(path, 'libfaketime.so.1');
    } catch {
      // Not of this architecture.
    }
  }
  return undefined;
}

/** The environment of a process whose clock is off by what a file says, which `setOffset` writes. */
export function offClock(folder: string): {
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
      // As on a real machine, where no setting of the clock moves the monotonic one.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
  };
}
