import { addDays } from '../transaction.js';
import { checksOf } from './check.js';

const FIRST_DAYS = '2024-02-01 2025-02-01 2025-11-15 2026-01-01 2026-03-29 1999-12-31 9998-06-01'.split(' ');

const NOT_DATES = [
  '2026-1-01',
  '26-01-01',
  '20260101',
  '2026/01/01',
  '01-02-2026',
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000Z',
  ' 2026-01-01',
  '2026-01-01 ',
  '2026-01-01\n',
  '+2026-01-01',
  '-2026-01-01',
  '0000-01-01',
  '10000-01-01',
  '２０２６-01-01',
  '2026–01–01',
  'today',
  '1767225600',
  'null',
];

const DATES = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1970-01-01', '2026-12-31'];

export default checksOf({ level: 'list', section: 'list' }, [
  {
    id: 'range.ninety-days.accepted',
    rule: 'A range in which to is 90 days after from is accepted.',
    run: (t) => t.accepted(FIRST_DAYS.map((from) => ({ from, to: addDays(from, 90) }))),
  },
  {
    id: 'range.ninety-one-days.refused',
    rule: 'A range in which to is 91 days or more after from is 400 date_range_too_long, a fault of to.',
    run: (t) =>
      t.each(
        [
          ...FIRST_DAYS.map((from) => ({ from, to: addDays(from, 91) })),
          { from: '2020-01-01', to: '2021-01-01' },
          { from: '0001-01-01', to: '9999-12-31' },
        ],
        async (range) => t.fault(await t.list(range), 'date_range_too_long', 'to'),
      ),
  },
  {
    id: 'range.too-long.detail',
    requirement: 'SHOULD',
    rule: 'The error of a range that is too long has its length, the maximum, and the last possible day for to.',
    async run(t) {
      const page = t.status(await t.list({ from: '2026-01-01', to: '2026-04-16' }), 400);
      const text = JSON.stringify(page.body);
      for (const one of ['105', '90', '2026-04-01'])
        t.that(text.includes(one), `${one} in the error`, page.text.slice(0, 400), page);
    },
  },
  {
    id: 'range.inverted',
    rule: 'A range in which from is after to, by one day or more, is 400 date_range_inverted, a single fault, of from.',
    run: (t) =>
      t.each(
        [
          { from: '2026-01-02', to: '2026-01-01' },
          { from: '2026-12-31', to: '2025-12-31' },
          { from: '9999-12-31', to: '0001-01-01' },
        ],
        async (range) => t.fault(await t.list(range), 'date_range_inverted', 'from'),
      ),
  },
  {
    id: 'range.one-day.accepted',
    rule: 'A range in which from equals to is accepted, and so is only from or only to, however far from now.',
    run: (t) => t.accepted(DATES.flatMap((day) => [{ from: day, to: day }, { from: day }, { to: day }])),
  },
  {
    id: 'date.invalid',
    section: 'times',
    rule: 'A date is exactly YYYY-MM-DD and a real day of the years 0001 to 9999; anything else is 400 invalid_date, in from and in to.',
    async run(t) {
      await t.refused('from', 'invalid_date', NOT_DATES);
      await t.refused('to', 'invalid_date', t.random.sample(NOT_DATES, 6));
    },
  },
]);
