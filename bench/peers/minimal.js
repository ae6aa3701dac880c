/* The list with minimal code: node:http, and pg with named prepared statements. Argument: the database URL. */
import { createServer } from 'node:http';
import pg from 'pg';
import { PAGE_SIZE, pageOf } from './page.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const select = (condition, limit) =>
  `SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms
   FROM transactions WHERE account = $1${condition} ORDER BY created_at_ms DESC, reference DESC LIMIT ${limit}`;
const FIRST = { name: 'first', text: select('', PAGE_SIZE + 1) };
const FOLLOWING = {
  name: 'following',
  text: select(' AND (created_at_ms, reference) < ($2, $3)', PAGE_SIZE + 1),
};

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const after = searchParams.get('after');
  const values = [searchParams.get('account')];
  if (after !== null) values.push(after, searchParams.get('reference'));
  const { rows } = await pool.query({ ...(after === null ? FIRST : FOLLOWING), values });
  const body = JSON.stringify(pageOf(rows));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  process.stderr.write(`${JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` })}\n`);
});
