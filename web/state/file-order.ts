import type { ComparableField } from '../../client/reconcile/compared-fields.ts';
import type { ExportFilters } from '../../client/src/export-manifest.ts';
import { UTC } from '../text/time.ts';
import { type Filter, queryOf } from './route.ts';

export type FileFormat = 'csv' | 'xlsx';

/** Each click must make a new object, because only a new object starts another save. */
export interface FileOrder {
  filter: Filter;
  zone: string;
  format: FileFormat;
  extra?: { fields: readonly ComparableField[]; left: boolean };
}

/** True if the service can make the file. It cannot make one with remaining amounts (`left`). */
export const isExport = ({ format, extra }: FileOrder): boolean => format === 'csv' && !extra?.left;

export const exportFilters = ({ filter, zone }: FileOrder): ExportFilters => ({
  ...queryOf(filter, zone),
  ...(zone !== UTC && { timeZone: zone }),
});
