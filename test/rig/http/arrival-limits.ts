import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { GIVE_UP_MS } from '../run/give-up.ts';

/** Long enough for the headers of a whole request to arrive. */
const SOON_MS = 500;

/**
 * The time limits for the arrival of a request, 10 s for its headers and 15 s in all, which node:http checks
 * every second. They are checked and then suspended, so that on a busy machine no request is too slow before
 * the test makes it so with `pass`.
 */
export function arrivalLimits(server: Server): { pass(): void; restore(): void } {
  const { headersTimeout, requestTimeout } = server;
  assert.deepEqual([headersTimeout, requestTimeout], [10_000, 15_000]);
  const set = (headersMs: number, requestMs: number) =>
    Object.assign(server, { headersTimeout: headersMs, requestTimeout: requestMs });
  set(GIVE_UP_MS, GIVE_UP_MS);
  return { pass: () => set(SOON_MS, SOON_MS), restore: () => set(headersTimeout, requestTimeout) };
}
