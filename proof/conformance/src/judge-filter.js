import { REPLICA_MS } from './facts.js';
import { hasReached, judgePages, lossOf, pageThrough } from './page-through.js';
import { compareInList, matches, showFilter, showRow } from './transaction.js';

/** @param {Context} t @param {Filter} filter */
export async function judgeMatches(t, filter) {
  const { rows, pages } = await pageWithin(t, filter);
  judgePages(t, { rows, pages }, showFilter(filter));
  judgeAllMatch(t, filter, pages);
  if (rows.length === 0) t.same(pages[0].body.data, [], 'an empty page', pages[0]);
}

/** @param {Context} t @param {Filter} filter @param {readonly Exchange[]} pages */
export function judgeAllMatch(t, filter, pages) {
  for (const page of pages)
    for (const row of page.body.data)
      t.that(matches(row, filter), `only items that match in ${showFilter(filter)}`, showRow(row), page);
}

/** @param {Context} t @param {Filter} filter */
async function pageWithin(t, filter) {
  const window = await t.facts.window();
  return t.facts.once(`pages ${JSON.stringify(filter)}`, () =>
    pageThrough(t.client, filter, {
      maxPages: window.pages.length + 5,
      ...(!window.isComplete && { until: window.rows.at(-1) }),
    }),
  );
}

/**
 * Items may be recorded or completed between the readings, so if the lists differ, both are read again.
 * @param {Context} t @param {Filter} filter
 */
export async function judgeComplete(t, filter) {
  const window = await t.facts.window();
  const filtered = await pageWithin(t, filter);
  const newest = window.rows[0];
  const oldest = window.rows.at(-1);
  if (newest === undefined || oldest === undefined) t.notJudged('the account has no transactions');
  const isWithin = (/** @type {Transaction} */ row) =>
    compareInList(row, newest) >= 0 &&
    (window.isComplete || compareInList(row, oldest) <= 0) &&
    hasReached(filtered, row);

  const returned = new Set(filtered.rows.map(({ reference }) => reference));
  const listed = new Set(window.rows.map(({ reference }) => reference));
  const expected = window.rows.filter((row) => matches(row, filter) && isWithin(row));
  const missing = expected.filter(({ reference }) => !returned.has(reference));
  const extra = filtered.rows.filter((row) => isWithin(row) && !listed.has(row.reference));
  if (expected.length === 0 && filtered.rows.length === 0) return;
  t.judged++;
  if (missing.length === 0 && extra.length === 0) return;
  await judgeAgain(t, filter, missing, extra);
}

/** @param {Context} t @param {Filter} filter @param {Transaction[]} missing @param {Transaction[]} extra */
async function judgeAgain(t, filter, missing, extra) {
  await new Promise((resolve) => setTimeout(resolve, REPLICA_MS));
  const window = await t.facts.window();
  const filtered = await pageThrough(t.client, filter, {
    maxPages: window.pages.length + 20,
    ...(!window.isComplete && { until: window.rows.at(-1) }),
  });
  const again = await t.facts.windowAfter(performance.now());
  const returned = new Set(filtered.rows.map(({ reference }) => reference));
  const now = new Map(again.rows.map((row) => [row.reference, row]));
  for (const row of missing.filter((one) => hasReached(filtered, one))) {
    const current = now.get(row.reference);
    const { page, cause } = lossOf(filtered, row);
    const isThere = returned.has(row.reference) || current === undefined || !matches(current, filter);
    const expected = `${showRow(row)} in ${showFilter(filter)}, as in the list without filters`;
    t.that(isThere, expected, 'not there', page, cause);
  }
  for (const row of extra) {
    const { page, cause } = lossOf(again, row);
    const expected = `${showRow(row)} in the list without filters, as in ${showFilter(filter)}`;
    t.that(now.has(row.reference), expected, 'not there', page, cause);
  }
}
