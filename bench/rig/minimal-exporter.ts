/*
 * The least work that sending all transactions needs: one statement, the same text, and node:http; no authentication, sequence
 * numbers, hash, totals or turns of the event loop. Arguments: database URL, account.
 * GET /csv?fromMs=N and GET /ndjson?fromMs=N.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { CSV_HEADER } from '../../src/ledger/exports/export-lines.ts';
import { formatAmount } from '../../src/values/amount.ts';
import { formatTimestamp } from '../../src/values/calendar.ts';
import { csvCell } from '../../src/values/csv-cell.ts';

type Row = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
];

const COLUMNS =
  'reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms';
const ORDER = 'created_at_ms DESC, reference DESC';
const PIECE_CHARACTERS = 65_536;
const FETCHED_ROWS = 1000;
const INT8 = 20;

const [databaseUrl = '', account = ''] = process.argv.slice(2);

const formatTime = (timestampMs: number | null) =>
  timestampMs === null ? null : formatTimestamp(timestampMs);

const csvLine = ([reference, merchantReference, status, amountMinor, currency, paidAtMs, createdAtMs]: Row) =>
  `${csvCell(reference)},${csvCell(merchantReference ?? '')},${csvCell(status)},${formatAmount(amountMinor)},${currency},${formatTime(paidAtMs) ?? ''},${formatTimestamp(createdAtMs)}\r\n`;

const ndjsonLine = ([
  reference,
  merchantReference,
  status,
  amountMinor,
  currency,
  paidAtMs,
  createdAtMs,
]: Row) =>
  `${JSON.stringify({
    reference,
    merchantReference,
    status,
    amount: formatAmount(amountMinor),
    currencyCode: currency,
    paidAt: formatTime(paidAtMs),
    createdAt: formatTimestamp(createdAtMs),
  })}\n`;

/** Sends rows as text, in pieces for which the connection has room. */
async function sendRows(
  response: ServerResponse,
  lineOf: (row: Row) => string,
  rows: Iterable<Row>,
  begun: string,
): Promise<string> {
  let text = begun;
  for (const row of rows) {
    text += lineOf(row);
    if (text.length < PIECE_CHARACTERS) continue;
    if (!response.write(text)) await once(response, 'drain');
    text = '';
  }
  return text;
}

/** Sends all rows, and returns the rest of their text. */
type Send = (
  response: ServerResponse,
  lineOf: (row: Row) => string,
  fromMs: number,
  begun: string,
) => Promise<string>;

function sendFromSqlite(path: string): Send {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA cache_size = -16384');
  const select = db.prepare(
    `SELECT ${COLUMNS} FROM transactions NOT INDEXED WHERE account = ? AND created_at_ms >= ? ORDER BY ${ORDER}`,
  );
  select.setReturnArrays(true);
  return (response, lineOf, fromMs, begun) =>
    sendRows(response, lineOf, select.iterate(account, fromMs) as unknown as Iterable<Row>, begun);
}

async function sendFromPostgres(connectionString: string): Promise<Send> {
  pg.types.setTypeParser(INT8, Number);
  const client = new pg.Client({ connectionString });
  await client.connect();
  return async (response, lineOf, fromMs, begun) => {
    const fetchRows = async () => {
      const { rows } = await client.query({ text: `FETCH ${FETCHED_ROWS} FROM all_rows`, rowMode: 'array' });
      return rows as Row[];
    };
    await client.query('BEGIN');
    await client.query(
      `DECLARE all_rows NO SCROLL CURSOR FOR SELECT ${COLUMNS} FROM transactions
       WHERE account = ${pg.escapeLiteral(account)} AND created_at_ms >= ${fromMs} ORDER BY ${ORDER}`,
    );
    let text = begun;
    let next = fetchRows();
    for (;;) {
      const rows = await next;
      if (rows.length === 0) break;
      // The next rows are read while these are sent.
      next = fetchRows();
      text = await sendRows(response, lineOf, rows, text);
    }
    await client.query('COMMIT');
    return text;
  };
}

const send = databaseUrl.startsWith('sqlite:')
  ? sendFromSqlite(databaseUrl.slice('sqlite:'.length))
  : await sendFromPostgres(databaseUrl);

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const isCsv = pathname === '/csv';
  const fromMs = Number(searchParams.get('fromMs'));
  response.end(await send(response, isCsv ? csvLine : ndjsonLine, fromMs, isCsv ? CSV_HEADER : ''));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stderr.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
