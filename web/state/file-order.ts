import type { ComparableField } from '../../client/reconcile/compared-fields.ts';
import type { ExportFilters } from '../../client/src/export-manifest.ts';
import { UTC } from '../text/time.ts';
import { type Filter, queryOf } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** One click on a button that saves a file. Each click makes a new object. */
export interface FileOrder {
  filter: Filter;
  /** The time zone of the filter's days and of the times in a spreadsheet. */
  zone: string;
  format: FileFormat;
  extra?: { fields: readonly ComparableField[]; left: boolean };
}

/** True if the file has exactly the bytes of an export. The service does not know remaining amounts. */
export const isExport = ({ format, extra }: FileOrder): boolean => format === 'csv' && !extra?.left;

/** The parameters of the request for a file. Times need the zone, even without days in the filter. */
export const exportFilters = ({ filter, zone }: FileOrder): ExportFilters => ({
  ...queryOf(filter, zone),
  ...(zone !== UTC && { timeZone: zone }),
});
