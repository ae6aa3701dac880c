import type { ComparableField } from '../../client/reconcile/compared-fields.ts';
import type { ExportFilters } from '../../client/src/export-manifest.ts';
import { UTC } from '../text/time.ts';
import { type Filter, queryOf } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** A click on a button that saves a file: another click is another object. */
export interface FileOrder {
  filter: Filter;
  /** The time zone of its days, and of the times of a spreadsheet. */
  zone: string;
  format: FileFormat;
  /** Its further columns. */
  extra?: { fields: readonly ComparableField[]; left: boolean };
}

/** True if a file has the bytes of an export. The service does not know what is left of a payment. */
export const isExport = ({ format, extra }: FileOrder): boolean => format === 'csv' && !extra?.left;

/** The parameters of the request for a file, which has times of the zone also without days. */
export const exportFilters = ({ filter, zone }: FileOrder): ExportFilters => ({
  ...queryOf(filter, zone),
  ...(zone !== UTC && { timeZone: zone }),
});
