import { addDays } from '../transaction.js';
import { checksOf } from './check.js';

/** First days of ranges: over a leap day, without one, over the end of a year, and far from now. */
const FIRST_DAYS = [
  '2024-02-01',
  '2025-02-01',
  '2025-11-15',
  '2026-01-01',
  '2026-03-29',
  '1999-12-31',
  '9998-06-01',
];

/** Each with the reason for which it is not a date of the form. */
const NOT_DATES = [
  ['2026-1-01', 'a month of one digit'],
  ['26-01-01', 'a year of two digits'],
  ['20260101', 'no hyphens'],
  ['2026/01/01', 'slashes'],
  ['01-02-2026', 'another order'],
  ['2026-02-30', 'a day that does not exist'],
  ['2025-02-29', 'the leap day of another year'],
  ['1900-02-29', 'the leap day of a year that has none'],
  ['2026-04-31', 'the 31st of April'],
  ['2026-13-01', 'a month 13'],
  ['2026-00-10', 'a month 0'],
  ['2026-01-00', 'a day 0'],
  ['2026-01-01T00:00:00Z', 'a time'],
  ['2026-01-01T00:00:00.000Z', 'a time with milliseconds'],
  [' 2026-01-01', 'a space before it'],
  ['2026-01-01 ', 'a space after it'],
  ['2026-01-01\n', 'a line end after it'],
  ['+2026-01-01', 'a sign'],
  ['-2026-01-01', 'a negative year'],
  ['0000-01-01', 'the year 0'],
  ['10000-01-01', 'a year of five digits'],
  ['２０２６-01-01', 'digits that are not ASCII'],
  ['2026–01–01', 'dashes in place of hyphens'],
  ['today', 'a word'],
  ['1767225600', 'a number'],
  ['null', 'the word null'],
];

const DATES = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1970-01-01', '2026-12-31'];

const RANGE = checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'range.ninety-days.accepted',
    section: 'list',
    rule: 'A range in which to is 90 days after from is accepted.',
    run: (t) =>
      t.each(FIRST_DAYS, async (from) => {
        const to = addDays(from, 90);
        t.status(await t.list({ from, to }), 200, `${from} to ${to}, 90 days`);
      }),
  },
  {
    id: 'range.ninety-one-days.refused',
    section: 'list',
    rule: 'A range in which to is 91 days or more after from is 400 date_range_too_long, a fault of to.',
    run: (t) =>
      t.each(
        [...FIRST_DAYS.map((from) => [from, 91]), ['2020-01-01', 366], ['0001-01-01', 3_652_058]],
        async ([from, days]) => {
          const to = addDays(/** @type {string} */ (from), /** @type {number} */ (days));
          const what = `${from} to ${to}, ${days} days`;
          t.fault(await t.list({ from: String(from), to }), 'date_range_too_long', 'to', what);
        },
      ),
  },
  {
    id: 'range.too-long.detail',
    requirement: 'SHOULD',
    section: 'list',
    rule: 'The error of a range that is too long has its length, the maximum, and the last day that to can be.',
    async run(t) {
      const page = await t.list({ from: '2026-01-01', to: '2026-04-16' });
      t.status(page, 400, '105 days');
      const text = JSON.stringify(page.body);
      for (const one of ['105', '90', '2026-04-01'])
        t.that(text.includes(one), `${one} in the error`, page.text.slice(0, 400), page);
    },
  },
  {
    id: 'range.inverted',
    section: 'list',
    rule: 'A range in which from is after to is 400 date_range_inverted, one fault, of from, by one day or by many.',
    run: (t) =>
      t.each(
        [
          ['2026-01-02', '2026-01-01'],
          ['2026-12-31', '2025-12-31'],
          ['9999-12-31', '0001-01-01'],
        ],
        async ([from, to]) =>
          t.fault(await t.list({ from, to }), 'date_range_inverted', 'from', `${from} to ${to}`),
      ),
  },
  {
    id: 'range.one-day.accepted',
    section: 'list',
    rule: 'A range in which from is to is accepted.',
    run: (t) =>
      t.each(
        DATES,
        async (day) => void t.status(await t.list({ from: day, to: day }), 200, `${day} to ${day}`),
      ),
  },
  {
    id: 'range.one-bound.accepted',
    section: 'list',
    rule: 'from alone and to alone are accepted, however far from now.',
    run: (t) =>
      t.each(DATES, async (day) => {
        t.status(await t.list({ from: day }), 200, `from=${day} alone`);
        t.status(await t.list({ to: day }), 200, `to=${day} alone`);
      }),
  },
  {
    id: 'date.invalid',
    section: 'times',
    rule: 'A date is exactly YYYY-MM-DD and a real day of the years 0001 to 9999; anything else is 400 invalid_date.',
    run: (t) =>
      t.each(NOT_DATES, async ([text, why]) => {
        const parameter = t.random.pick(['from', 'to']);
        t.fault(
          await t.list({ [parameter]: text }),
          'invalid_date',
          parameter,
          `${parameter}=${JSON.stringify(text)}, ${why}`,
        );
      }),
  },
  {
    id: 'date.invalid.both-bounds',
    section: 'times',
    rule: 'from and to follow the same form.',
    run: (t) =>
      t.each(['from', 'to'], async (parameter) => {
        for (const text of ['2026-02-30', '2026-1-1', '2026-01-01T00:00:00Z'])
          t.fault(await t.list({ [parameter]: text }), 'invalid_date', parameter, `${parameter}=${text}`);
      }),
  },
]);

export default RANGE;
