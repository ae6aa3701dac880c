import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { PAGE_SIZE } from '../../../values/interface/limits.ts';
import { servePages } from './serve.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
const COLUMNS = [
  'reference',
  'merchant_reference',
  'status',
  'amount_minor',
  'currency_code',
  'paid_at_ms',
  'created_at_ms',
];

await servePages((account, after) => {
  const ofAccount = db.selectFrom('transactions').select(COLUMNS).where('account', '=', account);
  const query =
    after === null
      ? ofAccount
      : ofAccount.where(sql`(created_at_ms, reference) < (${after.createdAtMs}, ${after.reference})`);
  return query
    .orderBy('created_at_ms', 'desc')
    .orderBy('reference', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
});
