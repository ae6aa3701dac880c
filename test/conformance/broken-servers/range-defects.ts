import type { Defect } from './defect.ts';

/** Faults of ranges. */
export const RANGE_DEFECTS: Defect[] = [
  {
    name: 'last-day-lost',
    broken: 'The day to is not in the range.',
    check: 'filter.day.complete',
    file: 'filter.ts',
    edits: [['addDays(parseDay(to) ?? Infinity, 1)', 'addDays(parseDay(to) ?? Infinity, 0)']],
  },
  {
    name: 'last-second-lost',
    broken: 'The last second of the day to is not in the range.',
    check: 'own.day-edges',
    file: 'filter.ts',
    edits: [['addDays(parseDay(to) ?? Infinity, 1)', 'addDays(parseDay(to) ?? Infinity, 1) - 999']],
  },
  {
    name: 'next-midnight-included',
    broken: 'The first millisecond after the day to is in the range.',
    check: 'own.day-edges',
    file: 'filter.ts',
    edits: [['createdAtMs < endMs', 'createdAtMs <= endMs']],
  },
  {
    name: 'first-midnight-lost',
    broken: 'The first millisecond of the day from is not in the range.',
    check: 'own.day-edges',
    file: 'filter.ts',
    edits: [['createdAtMs >= fromMs', 'createdAtMs > fromMs']],
  },
  {
    name: 'days-of-another-zone',
    broken: 'Days begin an hour before midnight UTC.',
    check: 'own.day-edges',
    file: 'filter.ts',
    edits: [
      [
        'const fromMs = from === undefined ? -Infinity : (parseDay(from) ?? -Infinity);',
        'const fromMs = from === undefined ? -Infinity : (parseDay(from) ?? -Infinity) - 3_600_000;',
      ],
    ],
  },
  {
    name: 'range-of-payment',
    broken: 'The range applies to paidAt.',
    check: 'filter.range.only',
    file: 'filter.ts',
    edits: [
      [
        'transaction.createdAtMs >= fromMs &&\n    transaction.createdAtMs < endMs',
        'Number(transaction.paidAtMs) >= fromMs &&\n    Number(transaction.paidAtMs) < endMs',
      ],
    ],
  },
  {
    name: 'from-alone-ignored',
    broken: 'from without to is ignored.',
    check: 'filter.from.only',
    file: 'filter.ts',
    edits: [
      [
        'const fromMs = from === undefined ? -Infinity : (parseDay(from) ?? -Infinity);',
        'const fromMs = from === undefined || to === undefined ? -Infinity : (parseDay(from) ?? -Infinity);',
      ],
    ],
  },
  {
    name: 'to-alone-ignored',
    broken: 'to without from is ignored.',
    check: 'filter.to.only',
    file: 'filter.ts',
    edits: [['to === undefined ? Infinity', 'to === undefined || from === undefined ? Infinity']],
  },
  {
    name: 'bound-alone-refused',
    broken: 'One bound without the other is refused.',
    check: 'range.one-bound.accepted',
    file: 'filter.ts',
    edits: [
      [
        '  if (fromMs === undefined || toMs === undefined) return [];',
        "  if ((from === undefined) !== (to === undefined)) return [{ parameter: 'from', code: 'invalid_date', detail: 'Send both' }];\n  if (fromMs === undefined || toMs === undefined) return [];",
      ],
    ],
  },
  {
    name: 'range-of-91-days',
    broken: 'A range of 91 days is accepted.',
    check: 'range.ninety-one-days.refused',
    file: 'filter.ts',
    edits: [['MAX_RANGE_DAYS = 90', 'MAX_RANGE_DAYS = 91']],
  },
  {
    name: 'range-of-90-days-refused',
    broken: 'A range of 90 days is refused.',
    check: 'range.ninety-days.accepted',
    file: 'filter.ts',
    edits: [['days <= MAX_RANGE_DAYS', 'days < MAX_RANGE_DAYS']],
  },
  {
    name: 'range-clamped',
    broken: 'A range of more than 90 days is accepted, and only its end is listed.',
    check: 'range.ninety-one-days.refused',
    file: 'filter.ts',
    edits: [['days <= MAX_RANGE_DAYS', 'days > 0']],
  },
  {
    name: 'largest-to-untold',
    broken: 'The refusal of a long range does not tell the largest to.',
    check: 'range.too-long.detail',
    file: 'filter.ts',
    edits: [[': the largest to is ${largest}', '']],
  },
  {
    name: 'inverted-range-empty',
    broken: 'A range whose from is after to is an empty list.',
    check: 'range.inverted',
    file: 'filter.ts',
    edits: [['if (fromMs > toMs) {', 'if (fromMs > Infinity) {']],
  },
  {
    name: 'one-day-refused',
    broken: 'from = to is refused as inverted.',
    check: 'range.one-day.accepted',
    file: 'filter.ts',
    edits: [['if (fromMs > toMs) {', 'if (fromMs >= toMs) {']],
  },
  {
    name: 'next-day-included',
    broken: 'The day after to is in the range.',
    check: 'filter.day.only',
    file: 'filter.ts',
    edits: [['addDays(parseDay(to) ?? Infinity, 1)', 'addDays(parseDay(to) ?? Infinity, 2)']],
  },
  {
    name: 'from-exclusive',
    broken: 'Without to, the day from is not in the range.',
    check: 'filter.from.complete',
    file: 'filter.ts',
    edits: [
      ['(parseDay(from) ?? -Infinity)', 'addDays(parseDay(from) ?? -Infinity, to === undefined ? 1 : 0)'],
    ],
  },
  {
    name: 'to-exclusive-alone',
    broken: 'Without from, the day to is not in the range.',
    check: 'filter.to.complete',
    file: 'filter.ts',
    edits: [
      [
        'addDays(parseDay(to) ?? Infinity, 1)',
        'addDays(parseDay(to) ?? Infinity, from === undefined ? 0 : 1)',
      ],
    ],
  },
  {
    name: 'longest-range-shortened',
    broken: 'A range of 90 days loses its last day.',
    check: 'own.longest-range',
    file: 'filter.ts',
    edits: [
      [
        'addDays(parseDay(to) ?? Infinity, 1)',
        'addDays(parseDay(to) ?? Infinity, daysBetween(fromMs, parseDay(to) ?? 0) === 90 ? 0 : 1)',
      ],
    ],
  },
  {
    name: 'last-day-of-range-lost',
    broken: 'The last day of a range of several days is not in it.',
    check: 'filter.range.complete',
    file: 'filter.ts',
    edits: [
      [
        'addDays(parseDay(to) ?? Infinity, 1)',
        'addDays(parseDay(to) ?? Infinity, from !== undefined && from !== to ? 0 : 1)',
      ],
    ],
  },
  {
    name: 'inverted-of-both',
    broken: 'An inverted range is a fault of from and of to.',
    check: 'range.inverted',
    file: 'filter.ts',
    edits: [
      [
        "return [{ parameter: 'from', code: 'date_range_inverted', detail:",
        "return [{ parameter: 'to', code: 'date_range_inverted', detail: '' }, { parameter: 'from', code: 'date_range_inverted', detail:",
      ],
    ],
  },
  {
    name: 'too-long-of-from',
    broken: 'A range that is too long is a fault of from.',
    check: 'range.ninety-one-days.refused',
    file: 'filter.ts',
    edits: [
      ["parameter: 'to', code: 'date_range_too_long'", "parameter: 'from', code: 'date_range_too_long'"],
    ],
  },
];
