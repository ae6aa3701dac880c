import { COLUMN_FIELDS } from '../../../values/interface/fields.ts';
import { FILTER_PARAMETERS, type ListFilter, type TimeRange, timeRange } from '../list/list.ts';

/** First and last day of paidAt, which no list has. */
const PAID_FILTERS = ['paidFrom', 'paidTo'] as const;
/**
 * Parameters that add columns: optional fields and recordedAt with `true`, and details with their names,
 * separated by commas. NDJSON has only recordedAt.
 */
const COLUMNS = [...COLUMN_FIELDS, 'recordedAt', 'details'] as const;

/** The restrictions of an export and its further columns, as the caller wrote them; null for none. */
export type ExportFilter = ListFilter &
  Record<(typeof PAID_FILTERS)[number] | (typeof COLUMNS)[number], string | null>;

/** In the order in which texts name them. */
export const EXPORT_FILTERS: readonly (keyof ExportFilter)[] = [
  ...FILTER_PARAMETERS,
  ...PAID_FILTERS,
  ...COLUMNS,
];

export const NO_EXPORT_FILTER = Object.fromEntries(
  EXPORT_FILTERS.map((name) => [name, null]),
) as ExportFilter;

/** The range of paidAt for a filter's days, which are both inclusive; null without such days. */
export function paidRange({ paidFrom, paidTo, timeZone }: ExportFilter): TimeRange | null {
  return paidFrom === null && paidTo === null ? null : timeRange({ from: paidFrom, to: paidTo, timeZone });
}
