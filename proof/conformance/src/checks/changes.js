import { changesOf, feedOf, headOf, lastChanges, readChanges, readFeed, someChanges } from '../feed.js';
import { keyNeeded } from '../judge-refusals.js';
import { readCurrent } from '../own-lists.js';
import { FIELDS, isTime, showRow } from '../transaction.js';
import { checksOf } from './check.js';

const LONGEST_MS = 5000;

export default checksOf({ level: 'changes', section: 'changes' }, [
  {
    id: 'changes.envelope',
    rule: 'A page of changes has data, lastSequence, headSequence and hasMore; lastSequence is the number of its last change, and hasMore says whether that is before headSequence.',
    async run(t) {
      const first = await readChanges(t.client, { limit: '3' });
      for (const page of [first, ...(await feedOf(t)).pages]) {
        const { data, lastSequence, headSequence, hasMore } = changesOf(page);
        t.same(hasMore, lastSequence < headSequence, `hasMore at ${lastSequence} of ${headSequence}`, page);
        if (data.length > 0) t.same(lastSequence, data[data.length - 1].sequence, 'lastSequence', page);
      }
    },
  },
  {
    id: 'changes.numbers',
    rule: 'Changes have the numbers that follow after, one by one: no number is missing, none comes twice.',
    async run(t) {
      const { pages } = await someChanges(t);
      for (const page of pages) {
        let expected = Number(new URL(page.sent.url).searchParams.get('after')) + 1;
        for (const { sequence } of changesOf(page).data)
          t.same(sequence, expected++, 'the sequence number', page);
      }
    },
  },
  {
    id: 'changes.item',
    rule: 'A change has its number, a time, the seven fields of the transaction, the type of its status, and the previous status or null.',
    async run(t) {
      const { changes, pages } = await someChanges(t);
      for (const { sequence, type, previousStatus, recordedAt, transaction } of changes) {
        const what = `of change ${sequence}`;
        t.same(type, `transaction.${transaction.status}`, `the type ${what}`, pages[0]);
        const isBefore = previousStatus === null || previousStatus === 'pending';
        t.that(isBefore, `previousStatus ${what} null or pending`, String(previousStatus), pages[0]);
        t.that(isTime(recordedAt), `a time in recordedAt ${what}`, String(recordedAt), pages[0]);
        const fields = Object.keys(transaction).sort();
        t.same(fields, [...FIELDS].sort(), `the fields of the transaction ${what}`, pages[0]);
      }
    },
  },
  {
    id: 'changes.once',
    rule: 'A transaction has at most one change of a type: it is recorded, and takes another status at most once.',
    async run(t) {
      const { changes, pages, isWhole } = await someChanges(t);
      /** @type {Map<string, string>} */
      const last = new Map();
      for (const { sequence, previousStatus, transaction } of changes) {
        const before = last.get(transaction.reference);
        if (before !== undefined || isWhole)
          t.same(previousStatus, before ?? null, `previousStatus of change ${sequence}`, pages[0]);
        const { status } = transaction;
        t.that(before !== status, `another status in change ${sequence}`, status, pages[0]);
        last.set(transaction.reference, transaction.status);
      }
    },
  },
  {
    id: 'changes.limit',
    rule: 'A page has at most limit changes, 100 without it, 1000 at most.',
    async run(t) {
      const { head } = await someChanges(t);
      for (const [limit, most] of /** @type {[string | undefined, number][]} */ ([
        ['1', 1],
        ['3', 3],
        [undefined, 100],
        ['1000', 1000],
      ])) {
        const page = await readChanges(t.client, { limit });
        const { length } = changesOf(page).data;
        const what = `changes with limit ${limit ?? 'absent'}`;
        t.that(length <= most, `at most ${most} ${what}`, `${length}`, page);
        t.that(length >= Math.min(most, head), `${Math.min(most, head)} ${what}`, `${length}`, page);
      }
    },
  },
  {
    id: 'changes.repeatable',
    rule: 'A number always belongs to the same change: pages of another size have the same changes.',
    async run(t) {
      const { changes } = await someChanges(t);
      const known = new Map(changes.map((change) => [change.sequence, JSON.stringify(change)]));
      for (const start of t.random.sample(changes, 3)) {
        const page = await readChanges(t.client, { after: String(start.sequence - 1), limit: '7' });
        for (const change of changesOf(page).data) {
          const before = known.get(change.sequence);
          if (before !== undefined)
            t.that(JSON.stringify(change) === before, before, JSON.stringify(change), page);
        }
      }
    },
  },
  {
    id: 'changes.end',
    rule: 'After the last change, data is empty, lastSequence is after, and hasMore is false.',
    async run(t) {
      const headSequence = await headOf(t.client);
      const page = await readChanges(t.client, { after: String(headSequence) });
      const { data, lastSequence, hasMore } = changesOf(page);
      if (data.length > 0) t.same(data[0].sequence, headSequence + 1, 'the next change', page);
      else t.same([lastSequence, hasMore], [headSequence, false], 'lastSequence and hasMore', page);
    },
  },
  {
    id: 'changes.list',
    section: 'totals',
    rule: 'The last changes of all transactions together equal the list.',
    async run(t) {
      const window = await t.facts.window();
      if (!window.isComplete) t.notJudged('the account is too large to be read whole');
      const { feed, last } = await readCurrent(
        async () => {
          const read = await readFeed(t.client);
          return { feed: read, last: lastChanges(read.changes) };
        },
        (read) => read.feed.isWhole && window.rows.some((row) => !isAsChanged(row, read.last)),
      );
      if (!feed.isWhole) t.notJudged('the account is too large to be read whole');
      for (const row of window.rows) {
        const expected = `${showRow(row)} in the feed, as in the list`;
        t.that(isAsChanged(row, last), expected, showRow(last.get(row.reference)), feed.pages[0]);
      }
      if (last.size === window.rows.length) return;
      const again = await t.facts.windowLater();
      const listed = new Set(again.rows.map(({ reference }) => reference));
      for (const row of last.values()) {
        const expected = `${showRow(row)} in the list, as in the feed`;
        t.that(listed.has(row.reference), expected, 'not there', again.pages[0]);
      }
    },
  },
  {
    id: 'changes.ahead',
    rule: 'A number beyond the last change is 400 sequence_ahead, and the error has the number of the last change.',
    async run(t) {
      const headSequence = await headOf(t.client);
      const page = await readChanges(t.client, { after: String(headSequence + 1_000_000) });
      t.problem(page, 400, 'sequence_ahead');
      const numbers = (String(page.body.detail).match(/\d+/g) ?? []).map(Number);
      const isNamed = numbers.some((one) => one >= headSequence && one < headSequence + 1_000_000);
      t.that(isNamed, `the number ${headSequence} in the detail`, String(page.body.detail), page);
    },
  },
  {
    id: 'changes.wait.empty',
    rule: 'With wait, a request that finds no change stays open for wait seconds, then gets a page with empty data.',
    async run(t) {
      const headSequence = await headOf(t.client);
      const page = await readChanges(t.client, { after: String(headSequence), wait: '1' });
      const elapsedMs = Math.round(page.elapsedMs);
      const { data } = changesOf(page);
      if (data.length > 0) t.same(data[0].sequence, headSequence + 1, 'the next change', page);
      else t.that(elapsedMs > 900, 'a response after about a second', `one after ${elapsedMs} ms`, page);
    },
  },
  {
    id: 'changes.wait.not-needed',
    rule: 'A request that finds changes is answered at once, whatever the value of wait.',
    async run(t) {
      const page = await readChanges(t.client, { limit: '1', wait: '20' }, { timeoutMs: 60_000 });
      if (changesOf(page).headSequence === 0) t.notJudged('the account has no changes');
      const elapsedMs = Math.round(page.elapsedMs);
      t.that(elapsedMs < LONGEST_MS, `a response within ${LONGEST_MS} ms`, `one after ${elapsedMs} ms`, page);
    },
  },
  faultsOf('after', 'invalid_sequence', 'A sequence number is a whole number from 0', [
    '-1',
    'x',
    '1.5',
    '',
    ' 1',
    '1e3',
    '0x10',
  ]),
  faultsOf('limit', 'invalid_limit', 'A limit is a whole number from 1 to 1000', [
    '0',
    '1001',
    '-1',
    'x',
    '1.5',
    '',
  ]),
  faultsOf('wait', 'invalid_wait', 'A wait is a whole number from 0 to 30', ['31', '-1', 'x', '0.5', '']),
  {
    id: 'changes.parameters',
    rule: 'Unknown and repeated parameters are refused as in the list.',
    async run(t) {
      for (const [query, code, name] of /** @type {const} */ ([
        ['afer=0', 'unknown_parameter', 'afer'],
        ['status=pending', 'unknown_parameter', 'status'],
        ['after=0&after=0', 'duplicate_parameter', 'after'],
      ]))
        t.fault(await readChanges(t.client, query), code, name);
    },
  },
  keyNeeded('changes.authentication', 'Changes need a valid key, as the list does.', '/v1/changes'),
]);

/** @param {string} parameter @param {string} code @param {string} rule @param {string[]} values */
function faultsOf(parameter, code, rule, values) {
  const run = (/** @type {Context} */ t) =>
    t.each(values, async (value) =>
      t.fault(await readChanges(t.client, { [parameter]: value }), code, parameter),
    );
  return { id: `changes.${parameter}.invalid`, rule: `${rule}; another value is 400 ${code}.`, run };
}

/** @param {Transaction} row @param {Map<string, Transaction>} last */
function isAsChanged(row, last) {
  const changed = last.get(row.reference);
  if (changed === undefined) return false;
  const wasPending =
    row.status === 'pending' && isEqual(row, { ...changed, status: 'pending', paidAt: null });
  return wasPending || isEqual(row, changed);
}

/** @param {Transaction} a @param {Transaction} b */
const isEqual = (a, b) => FIELDS.every((field) => a[field] === b[field]);
