/*
 * Does the least work that a recording needs: one durable INSERT for each transaction.
 * Arguments: the database URL, the seconds, the number of INSERTs in flight, and the prefix of the
 * references.
 */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const [databaseUrl = '', seconds = '1', inFlight = '1', prefix = ''] = process.argv.slice(2);
const COLUMNS =
  'account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, final_sequence, final_recorded_at_ms, final_nonce';
const endsAtMs = performance.now() + Number(seconds) * 1000;
// Starts at the current time, so that a run does not repeat the sequence numbers of an earlier run.
const firstSequence = Date.now() * 1000;
let rows = 0;
const nextRow = () => {
  rows++;
  const createdAtMs = Date.UTC(2024, 0, 1) + rows;
  return [
    'bare',
    createdAtMs,
    `${prefix}${rows}`,
    `order-${rows}`,
    'completed',
    1250,
    'EUR',
    createdAtMs,
    firstSequence + rows,
    0,
    1,
  ];
};

if (databaseUrl.startsWith('sqlite:')) {
  const db = new DatabaseSync(databaseUrl.slice('sqlite:'.length));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
  const insert = db.prepare(`INSERT INTO transactions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  while (performance.now() < endsAtMs) insert.run(...nextRow());
  db.close();
} else {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(inFlight) });
  const text = `INSERT INTO transactions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
  const work = async () => {
    while (performance.now() < endsAtMs) await pool.query({ name: 'insert', text, values: nextRow() });
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, work));
  await pool.end();
}
process.stdout.write(String(rows / Number(seconds)));
