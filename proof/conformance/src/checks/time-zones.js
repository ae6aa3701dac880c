import { judgeComplete, judgeMatches } from '../judge-filter.js';
import { judgeList } from '../own-lists.js';
import { readPage } from '../page-through.js';
import { ZONES, zoneDays } from '../time-zones.js';
import { addDays } from '../transaction.js';
import { checksOf } from './check.js';

/** Case and spaces matter in the name of a time zone. */
const NO_NAMES = ['', 'Europe/Berln', 'europe/berlin', ' Europe/Berlin', '+01:00', 'Z'];

const DAYS = [
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['America/New_York', '2025-11-02', '2025-11-02T04:00:00.000Z', '2025-11-03T05:00:00.000Z'],
  ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00.000Z', '2025-09-08T03:00:00.000Z'],
  ['Asia/Kolkata', '2026-01-10', '2026-01-09T18:30:00.000Z', '2026-01-10T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-10', '2026-01-09T10:00:00.000Z', '2026-01-10T10:00:00.000Z'],
];

/** @param {string} time @param {number} ms */
const later = (time, ms) => new Date(Date.parse(time) + ms).toISOString();

export default checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'filter.time-zone',
    rule: 'Where there is a timeZone, from and to are days of this time zone, and every page has exactly the transactions of these days.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      await t.each(await zoneDays(t), async ({ timeZone, day }) => {
        for (const range of [{ from: day, to: day }, { from: day }, { to: addDays(day, -1) }]) {
          await judgeMatches(t, { ...range, timeZone });
          await judgeComplete(t, { ...range, timeZone });
        }
      });
    },
  },
  {
    id: 'filter.time-zone.invalid',
    rule: 'Where there is a timeZone, a text that is not a name of the IANA time zone database is 400 invalid_time_zone, and an old name is accepted.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      await t.refused('timeZone', 'invalid_time_zone', NO_NAMES);
      await t.accepted([...ZONES, 'Asia/Calcutta'].map((timeZone) => ({ timeZone })));
    },
  },
  {
    id: 'filter.time-zone.cursor',
    section: 'cursors',
    rule: 'Where there is a timeZone, a cursor contains it: a cursor with another timeZone is 400 cursor_filter_mismatch, and the default is UTC.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      await judgeCursor(t, 'timeZone=Europe/Berlin', { right: 'Europe/Berlin', wrong: 'UTC' });
      await judgeCursor(t, '', { right: 'UTC', wrong: 'Europe/Berlin' });
    },
  },
  {
    id: 'own.time-zone',
    level: 'record',
    section: 'times',
    needs: 'operator',
    rule: 'Where there is a timeZone, its days begin and end to the millisecond with its local days, even those of 23 and 25 hours.',
    async run(t) {
      await t.requireFilter('timeZone', 'UTC');
      const account = await t.account('time-zone');
      const times = DAYS.flatMap(([, , begin, end]) => [later(begin, -1), begin, later(end, -1), end]);
      const rows = await Promise.all(
        times.map((createdAt, index) => account.record(`edge-${index}`, { createdAt })),
      );
      for (const [timeZone, day, begin, end] of DAYS) {
        const filter = { from: day, to: day, timeZone };
        const expected = rows.filter(({ createdAt }) => createdAt >= begin && createdAt < end);
        await judgeList(t, account.client, expected, filter);
      }
    },
  },
]);

/**
 * @param {Context} t @param {string} query
 * @param {{ right: string, wrong: string }} timeZones sent with the cursor of the query
 */
async function judgeCursor(t, query, { right, wrong }) {
  const { nextCursor: cursor } = readPage(await t.list(query));
  if (cursor === null) t.notJudged('the list has a single page');
  const what = (/** @type {string} */ one) => `timeZone=${one} beside the cursor of ?${query}`;
  t.status(await t.list({ cursor, timeZone: right }), 200, what(right));
  const other = await t.list({ cursor, timeZone: wrong });
  t.fault(other, 'cursor_filter_mismatch', 'timeZone', what(wrong));
}
