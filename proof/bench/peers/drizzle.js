import { and, desc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { PAGE_SIZE } from '../../../values/interface/limits.ts';
import { servePages } from './serve.js';

const transactions = pgTable('transactions', {
  account: text().notNull(),
  reference: text().notNull(),
  merchant_reference: text(),
  status: text().notNull(),
  amount_minor: bigint({ mode: 'number' }).notNull(),
  currency_code: text().notNull(),
  paid_at_ms: bigint({ mode: 'number' }),
  created_at_ms: bigint({ mode: 'number' }).notNull(),
});
const { reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms } =
  transactions;
const db = drizzle(new pg.Pool({ connectionString: process.argv[2], max: 10 }));

await servePages((account, after) =>
  db
    .select({ reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms })
    .from(transactions)
    .where(
      and(
        eq(transactions.account, account),
        after && sql`(${created_at_ms}, ${reference}) < (${after.createdAtMs}, ${after.reference})`,
      ),
    )
    .orderBy(desc(created_at_ms), desc(reference))
    .limit(PAGE_SIZE + 1),
);
