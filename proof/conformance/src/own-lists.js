import { causeOfOrder, judgePages, lossOf, pageThrough } from './page-through.js';
import { compareInList, inOneOrder, matches, showFilter, showRow } from './transaction.js';

/** Lists and changes may come from a replica that is this far behind. */
const BEHIND_MS = 1700;
const FIRST_DELAY_MS = 200;

/**
 * @template T @param {() => Promise<T>} read @param {(value: T) => boolean} isBehind
 * @param {number} [mostMs] @returns {Promise<T>} what was read last
 */
export async function readCurrent(read, isBehind, mostMs = BEHIND_MS) {
  const endMs = performance.now() + mostMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs *= 2) {
    const isLast = performance.now() >= endMs;
    const value = await read();
    if (isLast || !isBehind(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 1000)));
  }
}

/**
 * @param {Context} t
 * @param {AccountClient} client
 * @param {readonly Transaction[]} recorded
 * @param {Filter} [filter]
 */
export async function judgeList(t, client, recorded, filter = {}) {
  const expected = recorded.filter((row) => matches(row, filter)).sort(compareInList);
  const known = new Set(recorded.map(({ reference }) => reference));
  const wanted = expected.map((row) => JSON.stringify(inOneOrder(row))).sort();
  const { rows, pages } = await readCurrent(
    () => pageThrough(client, filter, { maxPages: Math.ceil(expected.length / 10) + 5 }),
    (result) => {
      const read = result.rows.map((row) => JSON.stringify(inOneOrder(row))).sort();
      const isPlausible =
        new Set(read).size === read.length && result.rows.every(({ reference }) => known.has(reference));
      return isPlausible && JSON.stringify(read) !== JSON.stringify(wanted);
    },
  );
  const returned = new Set(rows.map(({ reference }) => reference));
  const wantedReferences = new Set(expected.map(({ reference }) => reference));
  for (const [index, row] of expected.entries()) {
    const got = rows[index];
    const isThere = returned.has(row.reference);
    const loss = isThere ? undefined : lossOf({ pages }, row);
    const isOrder = isThere && wantedReferences.has(got.reference) && got.reference !== row.reference;
    t.that(
      JSON.stringify(inOneOrder(got)) === JSON.stringify(inOneOrder(row)),
      `${showFull(row)} as number ${index + 1} of ${expected.length} in ${showFilter(filter)}`,
      showFull(got),
      loss?.page ?? pages[Math.min(Math.floor(index / 10), pages.length - 1)],
      loss?.cause ?? (isOrder ? causeOfOrder(got, row) : undefined),
    );
  }
  t.that(
    rows.length === expected.length,
    `${expected.length} transactions in ${showFilter(filter)}`,
    `${rows.length}, the next being ${showRow(rows[expected.length])}`,
    pages.at(-1),
  );
}

/** @param {Transaction | undefined} row */
const showFull = (row) =>
  row === undefined
    ? 'nothing'
    : `${showRow(row)} with merchantReference ${JSON.stringify(row.merchantReference)}, paidAt ${row.paidAt}`;

/** @param {AccountClient} client @param {number} count */
export const settle = (client, count) =>
  readCurrent(
    () => pageThrough(client, {}, { maxPages: Math.ceil(count / 10) + 1 }),
    ({ rows }) => rows.length < count,
  );

/** @param {Context} t @param {PagesRead} read @param {readonly string[]} unchanged */
export function judgeUnchanged(t, read, unchanged) {
  judgePages(t, read, 'the pages');
  const seen = new Set(read.rows.map(({ reference }) => reference));
  for (const reference of unchanged)
    t.that(seen.has(reference), `${reference}, which did not change, once`, 'not there', read.pages.at(-1));
}
