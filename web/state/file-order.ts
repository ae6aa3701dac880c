import type { Filter } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** A click on a button that saves a file: another click is another object. */
export interface FileOrder {
  filter: Filter;
  /** The time zone of its days, and of the times of a spreadsheet. */
  zone: string;
  format: FileFormat;
}
