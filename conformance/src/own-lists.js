import { Broken } from './outcomes.js';
import { compareInList, matches, showFilter, showRow } from './transaction.js';
import { walk } from './walk.js';

/**
 * @typedef {import('./context.js').Context} Context
 * @typedef {import('./transaction.js').Transaction} Transaction
 * @typedef {import('./transaction.js').Filter} Filter
 */

/**
 * Judges the whole list of an account that the check has recorded: exactly these transactions, in their order.
 * @param {Context} t
 * @param {import('./account-client.js').AccountClient} client
 * @param {readonly Transaction[]} recorded
 * @param {Filter} [filter]
 */
export async function judgeList(t, client, recorded, filter = {}) {
  const expected = recorded.filter((row) => matches(row, filter)).sort(compareInList);
  const { rows, pages } = await walk(client, filter, { maxPages: Math.ceil(expected.length / 10) + 5 });
  for (const [index, row] of expected.entries())
    t.that(
      JSON.stringify(inOrder(rows[index])) === JSON.stringify(inOrder(row)),
      `${showFull(row)} as number ${index + 1} of ${expected.length} in ${showFilter(filter)}`,
      showFull(rows[index]),
      pages[Math.min(Math.floor(index / 10), pages.length - 1)],
    );
  t.that(
    rows.length === expected.length,
    `${expected.length} transactions in ${showFilter(filter)}`,
    `${rows.length}, the next being ${showRow(rows[expected.length])}`,
    pages.at(-1),
  );
}

/** @param {Transaction | undefined} row */
const inOrder = (row) => row && Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));

/** @param {Transaction | undefined} row */
const showFull = (row) =>
  row === undefined
    ? 'nothing'
    : `${showRow(row)} with merchantReference ${JSON.stringify(row.merchantReference)}, paidAt ${row.paidAt}`;

/**
 * Judges a walk beside which something happened: those that did not change come exactly once, all others at most once, in order.
 * @param {Context} t
 * @param {import('./walk.js').Walk} walk
 * @param {readonly string[]} unchanged
 */
export function judgeWalk(t, { rows, pages }, unchanged) {
  const seen = new Map();
  let previous;
  for (const [index, row] of rows.entries()) {
    const page = pages[Math.min(Math.floor(index / 10), pages.length - 1)];
    if (seen.has(row.reference))
      throw new Broken('each transaction at most once', `${showRow(row)} again`, page.curl);
    t.that(
      previous === undefined || compareInList(previous, row) < 0,
      `the order of the list after ${showRow(previous)}`,
      showRow(row),
      page,
    );
    seen.set(row.reference, row);
    previous = row;
  }
  for (const reference of unchanged)
    t.that(seen.has(reference), `${reference}, which did not change, once`, 'not there', pages.at(-1));
}
