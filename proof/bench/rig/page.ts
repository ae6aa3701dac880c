import { PAGE_SIZE } from '../../../values/interface/limits.ts';

export interface After {
  createdAtMs: number;
  reference: string;
}

export function pageOf(rows: readonly Record<string, unknown>[]) {
  const hasMore = rows.length > PAGE_SIZE;
  const data = rows.slice(0, PAGE_SIZE).map((row) => ({
    reference: row['reference'],
    merchantReference: row['merchant_reference'],
    status: row['status'],
    // PostgreSQL's driver returns a bigint as text.
    amount: (Number(row['amount_minor']) / 100).toFixed(2),
    currencyCode: row['currency_code'],
    paidAt: row['paid_at_ms'] === null ? null : new Date(Number(row['paid_at_ms'])).toISOString(),
    createdAt: new Date(Number(row['created_at_ms'])).toISOString(),
  }));
  return { data, nextCursor: hasMore ? data[PAGE_SIZE - 1]?.reference : null, hasMore };
}

export function announce(port: number): void {
  process.stderr.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
}
