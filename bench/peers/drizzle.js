/* The list with Drizzle on Fastify. Argument: the database URL. */
import { and, desc, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { PAGE_SIZE, servePages } from './page.js';

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
const { account: _, ...columns } = {
  account: transactions.account,
  reference: transactions.reference,
  merchant_reference: transactions.merchant_reference,
  status: transactions.status,
  amount_minor: transactions.amount_minor,
  currency_code: transactions.currency_code,
  paid_at_ms: transactions.paid_at_ms,
  created_at_ms: transactions.created_at_ms,
};

const db = drizzle(new pg.Pool({ connectionString: process.argv[2], max: 10 }));

await servePages((account, after) =>
  db
    .select(columns)
    .from(transactions)
    .where(
      and(
        eq(transactions.account, account),
        after === null
          ? undefined
          : sql`(${transactions.created_at_ms}, ${transactions.reference}) < (${after.createdAtMs}, ${after.reference})`,
      ),
    )
    .orderBy(desc(transactions.created_at_ms), desc(transactions.reference))
    .limit(PAGE_SIZE + 1),
);
