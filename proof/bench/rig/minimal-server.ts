/* Does the least work that a list needs, without authentication, validation, cursors and logs. */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { NEWEST, NO_FILTER, type Position, shapeOf } from '../../../src/ledger/list/list.ts';
import { listSql } from '../../../src/ledger/list/sqlite/list-sql.ts';
import { PAGE_SIZE } from '../../../values/interface/limits.ts';
import { type After, announce, pageOf } from './page.ts';

type ReadRows = (account: string, after: After | null) => Row[] | Promise<Row[]>;
type Row = Record<string, unknown>;

function onSqlite(path: string): ReadRows {
  const db = new DatabaseSync(path);
  const prepare = (after: Position | null) =>
    db.prepare(listSql(shapeOf({ account: '', filter: NO_FILTER, after }).shape, PAGE_SIZE + 1));
  const first = prepare(null);
  const following = prepare(NEWEST);
  return (account, after) =>
    after === null ? first.all(account) : following.all(account, after.createdAtMs, after.reference);
}

function onPostgres(connectionString: string): ReadRows {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const select = (condition: string) =>
    `SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms
     FROM transactions WHERE account = $1${condition}
     ORDER BY created_at_ms DESC, reference DESC LIMIT ${PAGE_SIZE + 1}`;
  const first = { name: 'first', text: select('') };
  const following = { name: 'following', text: select(' AND (created_at_ms, reference) < ($2, $3)') };
  return async (account, after) => {
    const { rows } =
      after === null
        ? await pool.query({ ...first, values: [account] })
        : await pool.query({ ...following, values: [account, after.createdAtMs, after.reference] });
    return rows;
  };
}

const [databaseUrl = ''] = process.argv.slice(2);
const readRows = databaseUrl.startsWith('sqlite:')
  ? onSqlite(databaseUrl.replace('sqlite:', ''))
  : onPostgres(databaseUrl);

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const createdAtMs = searchParams.get('after');
  const reference = searchParams.get('reference') ?? '';
  const after = createdAtMs === null ? null : { createdAtMs: Number(createdAtMs), reference };
  const rows = readRows(searchParams.get('account') ?? '', after);
  const body = JSON.stringify(pageOf(Array.isArray(rows) ? rows : await rows));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => announce((server.address() as { port: number }).port));
