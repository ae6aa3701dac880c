import { capability } from '../../capability.ts';
import { readSealOperation } from './http/read-seal.ts';
import { createSealMetrics } from './http/seal-metrics.ts';

export const SEALS = capability({
  operations: [readSealOperation],
  metrics: createSealMetrics,
});
