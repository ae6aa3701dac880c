import { capability } from '../capability.ts';
import { createStaffMetrics } from './http/staff-metrics.ts';

/** The pages of the platform's people. */
export const STAFF = capability({
  operations: [],
  metrics: createStaffMetrics,
});
