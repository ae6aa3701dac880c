/* Does the least work that a list needs, without authentication, validation, cursors and logs. */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { NEWEST, NO_FILTER, type Position, shapeOf } from '../../../src/ledger/list/list.ts';
import { listSql } from '../../../src/ledger/list/sqlite/list-sql.ts';
import { PAGE_SIZE } from '../../../values/interface/limits.ts';

const db = new DatabaseSync(process.argv[2] as string);
const prepare = (after: Position | null) =>
  db.prepare(listSql(shapeOf({ account: '', filter: NO_FILTER, after }).shape, PAGE_SIZE + 1));
const first = prepare(null);
const following = prepare(NEWEST);

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const account = searchParams.get('account');
  const after = searchParams.get('after');
  const rows =
    after === null
      ? first.all(account)
      : following.all(account, Number(after), searchParams.get('reference'));
  const hasMore = rows.length > PAGE_SIZE;
  const data = rows.slice(0, PAGE_SIZE).map((row) => ({
    reference: row['reference'],
    merchantReference: row['merchant_reference'],
    status: row['status'],
    amount: (Number(row['amount_minor']) / 100).toFixed(2),
    currencyCode: row['currency_code'],
    paidAt: row['paid_at_ms'] === null ? null : new Date(Number(row['paid_at_ms'])).toISOString(),
    createdAt: new Date(Number(row['created_at_ms'])).toISOString(),
  }));
  const body = JSON.stringify({ data, nextCursor: hasMore ? data[PAGE_SIZE - 1]?.reference : null, hasMore });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  process.stderr.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
