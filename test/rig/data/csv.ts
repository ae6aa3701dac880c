import { TRANSACTION_FIELDS } from '../../../src/ledger/transaction-fields.ts';
import { tagged } from '../database/isolation.ts';

export const CSV_HEADER = TRANSACTION_FIELDS.join(',');

export function csvLine(fields: Partial<Record<string, string>> = {}): string {
  const line: Record<string, string | undefined> = {
    account: 'store-1',
    reference: 'pay_1',
    merchantReference: 'order-1',
    status: 'completed',
    amount: '12.50',
    currencyCode: 'EUR',
    paidAt: '2026-03-01T10:00:05.000Z',
    createdAt: '2026-03-01T10:00:00.000Z',
    ...fields,
  };
  if (line['reference']) line['reference'] = tagged(line['account'] ?? '', line['reference']);
  return CSV_HEADER.split(',')
    .map((name) => line[name] ?? '')
    .join(',');
}

export function csvFile(...lines: string[]): string {
  return `${[CSV_HEADER, ...lines].join('\n')}\n`;
}

const LAST_CREATED_AT_MS = Date.UTC(2026, 1, 14, 21, 21, 56, 996);

export function sampleCsv(count: number): string {
  const start = LAST_CREATED_AT_MS - (count - 182) * 590_000;
  const lines = Array.from({ length: count }, (_, index) => {
    const createdAtMs = Math.min(start + index * 590_000, LAST_CREATED_AT_MS);
    const pending = index % 83 === 0;
    return csvLine({
      account: index % 2 === 0 ? 'store-1' : 'store-2',
      reference: `pay_${String((index * 7919) % 1_000_003).padStart(7, '0')}`,
      merchantReference: index % 2677 === 5 ? '' : `rental-${index}`,
      status: pending ? 'pending' : 'completed',
      amount: `${(index * 37) % 12}.${index % 24 === 0 ? '00' : '99'}`,
      currencyCode: index % 2 === 0 ? 'CAD' : 'AUD',
      paidAt: pending ? '' : new Date(createdAtMs + 5000).toISOString(),
      createdAt: new Date(createdAtMs).toISOString(),
    });
  });
  return csvFile(...lines);
}

export function expectedRows(csv: string, account: string): Record<string, string | null>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\n');
  const names = header.split(',');
  return lines
    .map((line) =>
      Object.fromEntries(line.split(',').map((field, at) => [names[at] as string, field || null])),
    )
    .filter((row) => row['account'] === account)
    .map(({ account: _, ...row }) => row)
    .sort((left, right) =>
      `${left['createdAt']} ${left['reference']}` < `${right['createdAt']} ${right['reference']}` ? 1 : -1,
    );
}
