import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { GIVE_UP_MS } from '../run/give-up.ts';

const SOON_MS = 500;

/** The time limits apply only after `pass` is called. node:http checks them every second. */
export function arrivalLimits(server: Server): { pass(): void; restore(): void } {
  const { headersTimeout, requestTimeout } = server;
  assert.deepEqual([headersTimeout, requestTimeout], [10_000, 15_000]);
  const set = (headersMs: number, requestMs: number) =>
    Object.assign(server, { headersTimeout: headersMs, requestTimeout: requestMs });
  set(GIVE_UP_MS, GIVE_UP_MS);
  return { pass: () => set(SOON_MS, SOON_MS), restore: () => set(headersTimeout, requestTimeout) };
}
