import { formatTransaction, type Transaction } from '../../src/ledger/transaction.ts';

const HEADER = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\r\n';

/** Rows as an export in CSV, written without the code of the service. */
export function expectedCsv(rows: readonly Transaction[], { spreadsheet = false } = {}): string {
  const cell = (value: string | null, isText: boolean) => {
    if (value === null) return '';
    const isNumber = /^-?[0-9]+(\.[0-9]+)?$/.test(value);
    const guarded =
      spreadsheet && isText && !isNumber && '=+-@\t\r＝＋－＠'.includes(value[0] ?? ' ')
        ? `'${value}`
        : value;
    return [...'",\r\n'].some((special) => guarded.includes(special))
      ? `"${guarded.split('"').join('""')}"`
      : guarded;
  };
  const lines = rows.map((row) => {
    const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } =
      formatTransaction(row);
    const texts = [reference, merchantReference, status].map((value) => cell(value, true));
    return `${[...texts, amount, currencyCode, paidAt ?? '', createdAt].join(',')}\r\n`;
  });
  return HEADER + lines.join('');
}

/** Rows as an export in NDJSON, without the manifest. */
export function expectedNdjson(rows: readonly Transaction[]): string {
  return rows.map((row) => `${JSON.stringify(formatTransaction(row))}\n`).join('');
}
