import { capability } from '../../capability.ts';
import { readTotalsOperation } from './http/read-totals.ts';

/** The sums of an account. */
export const TOTALS = capability({
  operations: [readTotalsOperation],
});
