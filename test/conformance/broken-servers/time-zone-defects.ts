import type { Defect } from './defect.ts';

/** Faults of days of a time zone. */
export const TIME_ZONE_DEFECTS: Defect[] = [
  {
    name: 'time-zone-ignored',
    broken: 'timeZone is accepted, and days are UTC days.',
    check: 'filter.time-zone',
    file: 'filter.ts',
    edits: [['matches(withClockOf(timeZone, transaction))', 'matches(transaction)']],
  },
  {
    name: 'time-zone-without-summer-time',
    broken: 'A time zone has the same offset all year.',
    check: 'own.time-zone',
    file: 'times.ts',
    edits: [
      [
        '  const milliseconds = ',
        "  const winterMs = Date.UTC(2026, 0, 1);\n  const shift = Date.parse(`${clock.format(winterMs).replace(' ', 'T')}Z`) - winterMs;\n  if (timeZone !== '') return ms + shift;\n  const milliseconds = ",
      ],
    ],
  },
  {
    name: 'time-zone-an-hour-late',
    broken: 'Days of a time zone begin an hour late.',
    check: 'own.time-zone',
    file: 'times.ts',
    edits: [['clock.format(ms)', 'clock.format(ms - 3_600_000)']],
  },
  {
    name: 'time-zone-unknown-as-utc',
    broken: 'An unknown time zone is UTC.',
    check: 'filter.time-zone.invalid',
    file: 'filter.ts',
    edits: [
      ['if (isTimeZone(value)) return', 'if (isTimeZone(value) || true) return'],
      [
        'withClockOf(timeZone, transaction)',
        "withClockOf(isTimeZone(timeZone ?? '') ? timeZone : 'UTC', transaction)",
      ],
    ],
  },
  {
    name: 'time-zone-as-offset',
    broken: 'An offset is accepted as a time zone.',
    check: 'filter.time-zone.invalid',
    file: 'times.ts',
    edits: [['  if (!/^[A-Z]', '  if (/^[+-]\\d\\d:\\d\\d$/.test(text)) return true;\n  if (!/^[A-Z]']],
  },
  {
    name: 'time-zone-not-in-cursor',
    broken: 'A cursor does not contain timeZone: further pages have UTC days.',
    check: 'filter.time-zone',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '  const { position, expiresAtMs } = contents;',
        '  delete contents.filter.timeZone;\n  const { position, expiresAtMs } = contents;',
      ],
    ],
  },
  {
    name: 'time-zone-utc-is-another',
    broken: 'timeZone=UTC beside a cursor without timeZone is refused.',
    check: 'filter.time-zone.cursor',
    file: 'filter.ts',
    edits: [["DEFAULTS: Filter = { timeZone: 'UTC' }", 'DEFAULTS: Filter = {}']],
  },
  {
    name: 'search-paid-on-utc-days',
    broken: 'paidFrom and paidTo of a search are UTC days, whatever timeZone is.',
    check: 'search.time-zone',
    file: 'routes/search-transactions.ts',
    edits: [
      ['matchesTerms(withClockOf(filter.timeZone, transaction), terms)', 'matchesTerms(transaction, terms)'],
    ],
  },
  {
    name: 'totals-by-utc-days',
    broken: 'by=day divides into UTC days, whatever timeZone is.',
    check: 'totals.time-zone',
    file: 'routes/read-totals.ts',
    edits: [['withClockOf(filter.timeZone, one)', 'withClockOf(undefined, one)']],
  },
  {
    name: 'export-of-utc-days',
    broken: 'The range of an export has UTC days, whatever timeZone is.',
    check: 'export.time-zone',
    file: 'routes/export-transactions.ts',
    edits: [
      [
        '  faults.push(...refuseInverted(filter));',
        '  delete filter.timeZone;\n  faults.push(...refuseInverted(filter));',
      ],
    ],
  },
];
