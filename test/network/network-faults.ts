import type { NetworkFault } from '../rig/http/fault-proxy.ts';

/** Every kind of fault, named for test titles. */
export const NETWORK_FAULTS: readonly (readonly [name: string, fault: NetworkFault])[] = [
  ['comes half a second late', { latencyMs: 250 }],
  ['comes five seconds late', { latencyMs: 2500 }],
  ['passes at 200 bytes a second', { bytesPerSecond: 200 }],
  ['is reset', { reset: true }],
  ['falls into a black hole', { blackHole: true }],
  ['is closed in one direction', { halfClose: true }],
];
