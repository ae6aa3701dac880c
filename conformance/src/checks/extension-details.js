import { readExport, requestExport } from '../export-file.js';
import { changesOf, readChanges } from '../feed.js';
import { isTime } from '../transaction.js';
import { checksOf } from './check.js';

const LONGEST_MS = 5000;
const SMALL_PAGES = 5;

const FEED = checksOf({ level: 'changes', section: 'changes' }, [
  {
    id: 'changes.small-pages',
    rule: 'On each page, lastSequence is the number of its last change, and hasMore says whether that is before headSequence.',
    async run(t) {
      for (let count = 0, after = 0; count < SMALL_PAGES; count++) {
        const page = await readChanges(t.client, { after: String(after), limit: '3' });
        const { data, lastSequence, headSequence, hasMore } = changesOf(page);
        const expected = Array.from(
          { length: Math.min(3, headSequence - after) },
          (_, index) => after + index + 1,
        );
        t.same(
          data.map(({ sequence }) => sequence),
          expected,
          `the numbers after ${after}`,
          page,
        );
        t.same(lastSequence, expected.at(-1) ?? after, 'lastSequence', page);
        t.same(hasMore, lastSequence < headSequence, 'hasMore', page);
        if (!hasMore) return;
        after = lastSequence;
      }
    },
  },
  {
    id: 'changes.wait.not-needed',
    rule: 'A request that finds changes is answered at once, whatever its wait.',
    async run(t) {
      const page = await readChanges(t.client, { limit: '1', wait: '20' }, { timeoutMs: 60_000 });
      if (changesOf(page).headSequence === 0) t.notJudged('the account has no changes');
      const elapsedMs = Math.round(page.elapsedMs);
      t.that(elapsedMs < LONGEST_MS, `a response within ${LONGEST_MS} ms`, `one after ${elapsedMs} ms`, page);
    },
  },
]);

const MANIFESTS = checksOf({ level: 'export', section: 'exports' }, [
  {
    id: 'export.manifest.filters',
    rule: 'The manifest has the filters of the export, and when it began and ended.',
    async run(t) {
      const [row] = await t.facts.rows();
      const day = row.createdAt.slice(0, 10);
      const filters = { status: row.status, currency: row.currencyCode, from: day, to: day };
      const file = readExport(await requestExport(t.client, 'ndjson', filters), 'ndjson');
      const { manifest } = file;
      for (const [name, value] of Object.entries(filters))
        t.same(manifest?.filters?.[name], value, `the filter ${name} in the manifest`, file.response);
      for (const name of ['startedAt', 'finishedAt'])
        t.that(isTime(manifest?.[name]), `a UTC time in ${name}`, String(manifest?.[name]), file.response);
    },
  },
]);

export default [...FEED, ...MANIFESTS];
