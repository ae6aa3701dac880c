import type { Total } from '../totals/totals.ts';
import type { Export } from './export.ts';

/** A total as JSON, which has no number for an amount beyond 2^53. */
type WrittenTotal = Omit<Total, 'amountMinor'> & { amountMinor: string };

export function textOfExport(stored: Export): string {
  const totals: WrittenTotal[] = stored.totals.map((total) => ({
    ...total,
    amountMinor: String(total.amountMinor),
  }));
  return JSON.stringify({ ...stored, totals });
}

/** The export of a text that textOfExport wrote. */
export function exportOfText(text: string): Export {
  const written = JSON.parse(text) as Omit<Export, 'totals'> & { totals: WrittenTotal[] };
  const totals = written.totals.map((total) => ({ ...total, amountMinor: BigInt(total.amountMinor) }));
  return { ...written, totals };
}
