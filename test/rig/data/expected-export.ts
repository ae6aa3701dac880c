import type { Transaction } from '../../../src/ledger/transaction.ts';
import { formatTransaction } from '../../../src/ledger/transaction-fields.ts';

const HEADER = 'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt';

/** Asia/Kolkata, the only time zone of these tests. It never changes its clocks. */
const kolkata = (timeMs: number | null) =>
  timeMs === null ? '' : `${new Date(timeMs + 19_800_000).toISOString().slice(0, -1)}+05:30`;

/** Rows as an export in CSV, written without the code of the service. */
export function expectedCsv(
  rows: readonly Transaction[],
  { spreadsheet = false, timeZone = null as string | null } = {},
): string {
  const cell = (value: string | null, isText: boolean) => {
    if (value === null) return '';
    const guarded = spreadsheet && isText ? guard(value) : value;
    return [...'",\r\n'].some((special) => guarded.includes(special))
      ? `"${guarded.split('"').join('""')}"`
      : guarded;
  };
  const lines = rows.map((row) => {
    const { reference, merchantReference, status, amount, currencyCode, paidAt, createdAt } =
      formatTransaction(row);
    const texts = [reference, merchantReference, status].map((value) => cell(value, true));
    const local = timeZone === null ? [] : [kolkata(row.paidAtMs), kolkata(row.createdAtMs)];
    return `${[...texts, amount, currencyCode, paidAt ?? '', createdAt, ...local].join(',')}\r\n`;
  });
  return `${HEADER}${timeZone === null ? '' : ',paidAtLocal,createdAtLocal'}\r\n${lines.join('')}`;
}

/** Puts an apostrophe before each sign that begins a formula, whichever separator a program splits at. */
function guard(text: string): string {
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(text)) return text;
  let guarded = '\t\r'.includes(text[0] ?? ' ') ? "'" : '';
  let isStart = true;
  let isWord = true;
  for (const [index, character] of [...text].entries()) {
    const isSign = '=+-@＝＋－＠'.includes(character);
    if (isSign && (isStart || (isWord && text[index + 1] !== ' '))) guarded += "'";
    guarded += character;
    const isSpace = /\s/.test(character);
    isStart = ',;|\t\r\n'.includes(character) || (isStart && (isSpace || character === '"'));
    isWord = isSpace || (isWord && character === '"');
  }
  return guarded;
}

/** Rows as an export in NDJSON, without the manifest. */
export function expectedNdjson(rows: readonly Transaction[]): string {
  return rows.map((row) => `${JSON.stringify(formatTransaction(row))}\n`).join('');
}
