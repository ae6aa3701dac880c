import type { ExportManifest } from '../../../../client/src/index.ts';
import { growingTable } from '../../terminal/growing-table.ts';
import { number } from '../../terminal/text.ts';
import { TOTALS_COLUMNS } from '../totals/totals-columns.ts';

/** What a complete export contains: rows, bytes, hash and sums. */
export function exportSummary({ rows, bytes, sha256, asOf, totals }: ExportManifest): string[] {
  const transactions = `${number(rows ?? 0)} ${rows === 1 ? 'transaction' : 'transactions'}`;
  return [
    `Exported ${transactions}, complete and verified, up to change ${asOf} of the account: ${number(bytes ?? 0)} bytes.`,
    `SHA-256: ${sha256}`,
    ...(totals.length === 0 ? [] : growingTable(TOTALS_COLUMNS).lines(totals)),
  ];
}
