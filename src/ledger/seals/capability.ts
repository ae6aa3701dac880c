import { capability } from '../../capability.ts';
import { readSealOperation } from './http/read-seal.ts';
import { createSealMetrics } from './http/seal-metrics.ts';

/** The seals over the changes of an account. */
export const SEALS = capability({
  operations: [readSealOperation],
  metrics: createSealMetrics,
});
