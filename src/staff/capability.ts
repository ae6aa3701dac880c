import { capability } from '../capability.ts';
import { createStaffMetrics } from './http/staff-metrics.ts';

/** The pages for the platform's own people. */
export const STAFF = capability({
  operations: [],
  metrics: createStaffMetrics,
});
