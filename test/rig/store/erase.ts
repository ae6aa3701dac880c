import { setTimeout as delay } from 'node:timers/promises';
import type { AccountEraser } from '../../../src/operate/erase/account-eraser.ts';
import { eraseAccount } from '../../../src/operate/erase/erase-account.ts';
import { openAccountEraser } from '../../../src/store/open-store.ts';
import type { VerifiedStore } from '../../verify/healthy-database.ts';
import { someStamp } from './audit.ts';

interface Erasure {
  store: VerifiedStore;
  /** Runs before each call of the eraser except `end`. */
  before?: (call: string) => Promise<void>;
}

/** Erases an account as the command does, without waiting for requests. */
export async function erase(url: string, account: string, { store, before = async () => {} }: Erasure) {
  const eraser = await openAccountEraser(url);
  const each = new Proxy(eraser, {
    get:
      (target, name) =>
      async (...values: unknown[]) => {
        if (name !== 'end') await before(String(name));
        return (target[name as keyof AccountEraser] as (...values: unknown[]) => unknown)(...values);
      },
  });
  try {
    return await eraseAccount(account, {
      eraser: each,
      store,
      stamp: () => someStamp(Date.now()),
      now: Date.now,
      monotonicMs: () => performance.now(),
      replicaLagMs: 0,
      sleep: (milliseconds) => delay(Math.min(milliseconds, 50)),
      onWait: () => {},
      onProgress: () => {},
    });
  } finally {
    await eraser.end();
  }
}
