import type { LocalMonth } from '../text/local-month.ts';
import type { Filter } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** A click on a button that saves a file: another click is another object. */
export interface FileOrder {
  filter: Filter;
  format: FileFormat;
  /** Replaces the days of the filter. */
  month?: LocalMonth | undefined;
}
