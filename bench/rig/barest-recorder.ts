/*
 * The barest way to record: one INSERT a transaction through the service's own driver, each durable on its own.
 * Arguments: the database's URL, the seconds, how many at once, what references begin with. Prints rows a second.
 */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const [databaseUrl = '', seconds = '1', atOnce = '1', prefix = ''] = process.argv.slice(2);
const COLUMNS =
  'account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms';
const endsAtMs = performance.now() + Number(seconds) * 1000;
let rows = 0;
const nextRow = () => {
  rows++;
  const createdAtMs = Date.UTC(2024, 0, 1) + rows;
  return ['bare', createdAtMs, `${prefix}${rows}`, `order-${rows}`, 'completed', 1250, 'EUR', createdAtMs];
};

if (databaseUrl.startsWith('sqlite:')) {
  const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const insert = db.prepare(`INSERT INTO transactions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  while (performance.now() < endsAtMs) insert.run(...nextRow());
  db.close();
} else {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(atOnce) });
  const text = `INSERT INTO transactions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
  const work = async () => {
    while (performance.now() < endsAtMs) await pool.query({ name: 'insert', text, values: nextRow() });
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, work));
  await pool.end();
}
process.stdout.write(String(rows / Number(seconds)));
