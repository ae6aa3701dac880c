import { readPage } from './page-through.js';

/** @param {Context} t @param {Filter} filter */
export async function firstPage(t, filter) {
  const page = await t.list(filter);
  const { nextCursor, data } = readPage(page, filter);
  return { page, cursor: nextCursor, data };
}

/** @param {Context} t */
export async function plainCursor(t) {
  const { page, cursor, data } = await firstPage(t, {});
  if (cursor === null) t.notJudged('the account has a single page, so no cursor');
  return { page, cursor, data };
}

/** @param {Context} t */
export async function filteredCursor(t) {
  const rows = await t.facts.rows();
  const statuses = ['completed', 'pending', rows[0].status];
  const currencies = [...new Set(rows.map((row) => row.currencyCode))].slice(0, 3);
  for (const currency of currencies)
    for (const status of statuses) {
      const filter = { status, currency };
      const { cursor, data, page } = await firstPage(t, filter);
      if (cursor !== null) return { filter, cursor, data, page };
    }
  t.notJudged('no list with two filters has a second page');
}

/**
 * @param {Context} t @param {Exchange} first @param {Exchange} second @param {string} what
 */
export function samePage(t, first, second, what) {
  const before = readPage(first).data;
  const after = readPage(second).data;
  const known = new Set(before.map((row) => row.reference));
  const fresh = after.filter((row) => !known.has(row.reference)).length;
  const kept = before.slice(0, before.length - fresh);
  const there = new Set(after.map((row) => row.reference));
  const missing = kept.filter((row) => !there.has(row.reference));
  const areLeaving = missing.every((row) => row.status === 'pending') && missing.length * 2 <= kept.length;
  t.that(
    fresh < 10 && areLeaving,
    `${what}: ${kept.map((row) => row.reference).join(', ')}`,
    after.map((row) => row.reference).join(', '),
    second,
  );
}

/**
 * @param {Context} t @param {string} reference @param {Exchange} from
 * @param {AccountClient} [client]
 * @param {boolean} [mayBeExpired] true if `reference` may contain an expired cursor
 */
export async function follow(t, reference, from, client = t.client, mayBeExpired = false) {
  const url = URL.canParse(reference, from.sent.url) ? new URL(reference, from.sent.url).href : '';
  // The key must be sent only to addresses below the deployment's base address.
  t.that(url.startsWith(`${t.client.url}/`), `a URL below ${t.client.url}`, reference, from);
  return client.send(url.slice(t.client.url.length), { mayBeExpired });
}

const ATTEMPTS = 5;

/**
 * @template First
 * @param {Context} t
 * @param {() => Promise<First>} readFirst
 * @param {(first: First, options: { mayBeExpired: boolean }) => Promise<Exchange>} readNext
 */
export async function nextInTime(t, readFirst, readNext) {
  for (let attempt = 1; ; attempt++) {
    const first = await readFirst();
    const next = await readNext(first, { mayBeExpired: attempt < ATTEMPTS });
    if (!t.deployment.transport.isOfExpired(next)) return { first, next };
  }
}

const LONGEST_WAIT_MS = 15_000;

/** @param {Context} t @param {Exchange} page @param {() => Promise<Exchange>} send sends the cursor */
export async function refusalOfExpired(t, page, send) {
  const waitMs = Date.parse(page.header('cursor-expires') ?? '') - page.dateMs;
  if (Number.isNaN(waitMs)) t.notJudged('there is no header Cursor-Expires');
  if (waitMs > LONGEST_WAIT_MS)
    t.notJudged(
      `cursors of this deployment expire ${Math.floor(waitMs / 1000)} s after their page; the kit waits for at most ${LONGEST_WAIT_MS / 1000} s`,
    );
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs) + 1100));
  const refused = await send();
  t.fault(refused, 'cursor_expired', 'cursor', 'a cursor past its time');
  const { resume } = refused.body;
  t.that(typeof resume === 'string', 'a URL reference in resume', String(resume), refused);
  return { refused, resumed: await follow(t, resume, refused, t.client, true) };
}
