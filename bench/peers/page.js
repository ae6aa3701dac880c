import Fastify from 'fastify';

export const PAGE_SIZE = 10;

/** The page of `rows`, which are one more than a page if another page follows. */
export function pageOf(rows) {
  const hasMore = rows.length > PAGE_SIZE;
  const data = rows.slice(0, PAGE_SIZE).map((row) => ({
    reference: row.reference,
    merchantReference: row.merchant_reference,
    status: row.status,
    amount: (Number(row.amount_minor) / 100).toFixed(2),
    currencyCode: row.currency_code,
    paidAt: row.paid_at_ms === null ? null : new Date(Number(row.paid_at_ms)).toISOString(),
    createdAt: new Date(Number(row.created_at_ms)).toISOString(),
  }));
  return { data, nextCursor: hasMore ? data[PAGE_SIZE - 1].reference : null, hasMore };
}

/**
 * Serves the pages of an account, written as Fastify's documentation recommends. The peers differ only in `readRows`, which
 * reads one row more than a page.
 */
export async function servePages(readRows) {
  const app = Fastify();
  app.get('/', async (request) => {
    const { account, after, reference } = request.query;
    const rows = await readRows(
      account,
      after === undefined ? null : { createdAtMs: Number(after), reference },
    );
    return pageOf(rows);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  process.stderr.write(`${JSON.stringify({ msg: 'listening', url })}\n`);
}
