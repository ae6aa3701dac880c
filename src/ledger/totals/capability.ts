import { capability } from '../../capability.ts';
import { readTotalsOperation } from './http/read-totals.ts';

export const TOTALS = capability({
  operations: [readTotalsOperation],
});
