import { setTimeout as delay } from 'node:timers/promises';
import { type EraseOptions, eraseAccount } from '../../../src/operate/erase/erase-account.ts';
import { openAccountEraser } from '../../../src/store/open-store.ts';
import type { Steps } from './archive.ts';
import { someStamp } from './audit.ts';
import { beside } from './copy.ts';

type Erasure = Steps & Pick<EraseOptions, 'store'> & Partial<Pick<EraseOptions, 'now'>>;

export async function erase(
  url: string,
  account: string,
  {
    store,
    before = async () => {},
    now = Date.now,
    monotonicMs = () => performance.now(),
    sleep = (milliseconds) => delay(Math.min(milliseconds, 50)),
  }: Erasure,
) {
  const eraser = await openAccountEraser(url);
  try {
    return await eraseAccount(account, {
      eraser: beside(eraser, before),
      store,
      stamp: () => someStamp(now()),
      now,
      monotonicMs,
      replicaLagMs: 0,
      sleep,
      onWait: () => {},
      onProgress: () => {},
    });
  } finally {
    await eraser.end();
  }
}
