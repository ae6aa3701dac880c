import type { Trouble } from '../rig/fault-proxy.ts';

/** Every kind of trouble, by the name that a test tells. */
export const TROUBLES: readonly (readonly [name: string, trouble: Trouble])[] = [
  ['comes half a second late', { latencyMs: 250 }],
  ['comes five seconds late', { latencyMs: 2500 }],
  ['passes at 200 bytes a second', { bytesPerSecond: 200 }],
  ['is reset', { reset: true }],
  ['falls into a black hole', { blackHole: true }],
  ['is closed in one direction', { halfClose: true }],
];
