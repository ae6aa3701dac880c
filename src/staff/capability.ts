import { capability } from '../capability.ts';
import { createStaffMetrics } from './http/staff-metrics.ts';

export const STAFF = capability({
  operations: [],
  metrics: createStaffMetrics,
});
