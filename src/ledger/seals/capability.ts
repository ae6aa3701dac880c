import { capability } from '../../capability.ts';
import { readSeal } from './http/read-seal.ts';
import { createSealMetrics } from './http/seal-metrics.ts';

/** The seals over the changes of an account. */
export const SEALS = capability({
  operations: [readSeal],
  metrics: createSealMetrics,
});
