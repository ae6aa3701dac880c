import { formatSum } from '../../../values/amount.ts';
import { formatTimestamp } from '../../../values/calendar.ts';
import type { Total } from '../totals/totals.ts';
import type { Export } from './export.ts';
import { EXPORT_FILTERS, type ExportFilter } from './export-filter.ts';

/** The content of an export, as responses show it. Fields known only at its end are null until then. */
export function manifestOf({ result, ...exported }: Export) {
  return {
    id: exported.id,
    state: result === null ? ('running' as const) : ('complete' as const),
    format: exported.format,
    ...(exported.format === 'csv' && { spreadsheet: exported.spreadsheet }),
    filters: sentFilters(exported.filter),
    asOf: exported.asOf,
    asOfId: exported.asOfId,
    seal: exported.seal,
    ...(exported.archivedBefore !== undefined && { archivedBefore: exported.archivedBefore }),
    rows: result?.rows ?? null,
    bytes: result?.bytes ?? null,
    sha256: result?.sha256 ?? null,
    totals: exported.totals.map(manifestTotal),
    startedAt: formatTimestamp(exported.startedAtMs),
    finishedAt: result === null ? null : formatTimestamp(result.finishedAtMs),
  };
}

export const manifestTotal = ({ currencyCode, status, count, amountMinor }: Total) => ({
  currencyCode,
  status,
  count,
  amount: formatSum(amountMinor),
});

function sentFilters(filter: ExportFilter): Partial<Record<keyof ExportFilter, string>> {
  const sent: Partial<Record<keyof ExportFilter, string>> = {};
  for (const name of EXPORT_FILTERS) {
    const value = filter[name];
    if (value !== null) sent[name] = value;
  }
  return sent;
}
