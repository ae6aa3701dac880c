/* The list with Kysely on Fastify. Argument: the database URL. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { PAGE_SIZE, servePages } from './page.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });

await servePages((account, after) => {
  let query = db
    .selectFrom('transactions')
    .select([
      'reference',
      'merchant_reference',
      'status',
      'amount_minor',
      'currency_code',
      'paid_at_ms',
      'created_at_ms',
    ])
    .where('account', '=', account);
  if (after !== null) {
    query = query.where(sql`(created_at_ms, reference) < (${after.createdAtMs}, ${after.reference})`);
  }
  return query
    .orderBy('created_at_ms', 'desc')
    .orderBy('reference', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
});
