import type { Defect } from './defect.ts';

/** Faults of totals. */
export const TOTAL_DEFECTS: Defect[] = [
  {
    name: 'totals-off-by-a-cent',
    broken: 'A sum is a cent too large.',
    check: 'totals.as-list',
    file: 'totals.ts',
    edits: [['amount: formatAmount(minor)', 'amount: formatAmount(minor + 1n)']],
  },
  {
    name: 'totals-through-a-float',
    broken: 'Sums pass through floating-point numbers.',
    check: 'totals.exact',
    file: 'totals.ts',
    edits: [
      [
        'minor: minor + amountMinor',
        'minor: BigInt(Math.round((Number(minor) / 100 + Number(amountMinor) / 100) * 100))',
      ],
    ],
  },
  {
    name: 'totals-count-off',
    broken: 'A count is one too small.',
    check: 'totals.as-list',
    file: 'totals.ts',
    edits: [['status, count, amount', 'status, count: count - 1, amount']],
  },
  {
    name: 'totals-without-status',
    broken: 'Statuses are added up.',
    check: 'totals.as-list',
    file: 'totals.ts',
    edits: [
      [
        'periodOf(by, formatDay(createdAtMs)), currencyCode, status]',
        "periodOf(by, formatDay(createdAtMs)), currencyCode, 'completed']",
      ],
    ],
  },
  {
    name: 'totals-across-currencies',
    broken: 'Currencies are added up.',
    check: 'totals.as-list',
    file: 'totals.ts',
    edits: [
      [
        'periodOf(by, formatDay(createdAtMs)), currencyCode, status]',
        "byDay ? formatDay(createdAtMs) : '', 'EUR', status]",
      ],
    ],
  },
  {
    name: 'totals-without-order',
    broken: 'Rows are in no order.',
    check: 'totals.order',
    file: 'totals.ts',
    edits: [['a < b ? -1 : 1', 'a < b ? 1 : -1']],
  },
  {
    name: 'totals-of-another-zone',
    broken: 'Days begin an hour before midnight UTC.',
    check: 'totals.by-day',
    file: 'totals.ts',
    edits: [['formatDay(createdAtMs)', 'formatDay(createdAtMs + 3_600_000)']],
  },
  {
    name: 'totals-months-whole',
    broken: 'With by=month, a month has the totals of all its days, also of those outside the range.',
    check: 'totals.by-month',
    file: 'routes/read-totals.ts',
    edits: [
      [
        '.filter(matcher(filter))',
        ".filter(matcher(by === 'month' ? { ...filter, from: undefined, to: undefined } : filter))",
      ],
    ],
  },
  {
    name: 'totals-as-number',
    broken: 'A sum is a JSON number.',
    check: 'totals.form',
    file: 'totals.ts',
    edits: [['amount: formatAmount(minor)', 'amount: Number(formatAmount(minor))']],
  },
  {
    name: 'totals-day-null',
    broken: 'Without by=day, rows have a day.',
    check: 'totals.form',
    file: 'totals.ts',
    edits: [['...(by && { [by]: period })', 'day: period']],
  },
  {
    name: 'totals-day-missing',
    broken: 'With by=day, rows have no day.',
    check: 'totals.form',
    file: 'totals.ts',
    edits: [['...(by && { [by]: period })', '...{}']],
  },
  {
    name: 'totals-as-of-missing',
    broken: 'asOf is missing.',
    check: 'totals.as-of',
    file: 'routes/read-totals.ts',
    edits: [[', asOf: ledger.headSequence', '']],
  },
  {
    name: 'totals-as-of-count',
    broken: 'asOf is the number of transactions, not of changes.',
    check: 'totals.as-of',
    file: 'routes/read-totals.ts',
    edits: [['asOf: ledger.headSequence', 'asOf: ledger.references.size']],
  },
  {
    name: 'totals-ninety-days',
    broken: 'A range of more than 90 days is refused.',
    check: 'totals.any-range',
    file: 'routes/read-totals.ts',
    edits: [
      ['refuseInverted(filter)', 'checkRange(filter)'],
      ['import { FILTER_NAMES, matcher', 'import { checkRange, FILTER_NAMES, matcher'],
    ],
  },
  {
    name: 'totals-inverted-accepted',
    broken: 'An inverted range is accepted.',
    check: 'totals.faults',
    file: 'routes/read-totals.ts',
    edits: [['  faults.push(...refuseInverted(filter));\n', '']],
  },
  {
    name: 'totals-filter-ignored',
    broken: 'The filters of totals are ignored.',
    check: 'totals.filters',
    file: 'routes/read-totals.ts',
    edits: [['.filter(matcher(filter))', '']],
  },
  {
    name: 'totals-last-day-lost',
    broken: 'The day to is not in the totals.',
    check: 'totals.filters',
    file: 'routes/read-totals.ts',
    edits: [
      [
        '.filter(matcher(filter))',
        '.filter(matcher(filter)).filter(({ createdAtMs }) => !filter.to || new Date(createdAtMs).toISOString() < filter.to)',
      ],
    ],
  },
  {
    name: 'totals-by-ignored',
    broken: 'by=day is ignored.',
    check: 'totals.form',
    file: 'routes/read-totals.ts',
    edits: [['addUp(matching, period)', 'addUp(matching, undefined)']],
  },
  {
    name: 'totals-by-anything',
    broken: 'by=week is accepted.',
    check: 'totals.faults',
    file: 'routes/read-totals.ts',
    edits: [["by !== undefined && by !== 'day' && by !== 'month'", "by === ''"]],
  },
  {
    name: 'totals-unknown-ignored',
    broken: 'An unknown parameter of totals is ignored.',
    check: 'totals.faults',
    file: 'routes/read-totals.ts',
    edits: [['  refuse(faults);', "  refuse(faults.filter(({ code }) => code !== 'unknown_parameter'));"]],
  },
  {
    name: 'totals-repeats-accepted',
    broken: 'A repeated parameter of totals is accepted.',
    check: 'totals.faults',
    file: 'routes/read-totals.ts',
    edits: [['  refuse(faults);', "  refuse(faults.filter(({ code }) => code !== 'duplicate_parameter'));"]],
  },
  {
    name: 'totals-with-empty-rows',
    broken: 'There are rows with the count 0.',
    check: 'totals.form',
    file: 'routes/read-totals.ts',
    edits: [
      [
        'data: addUp(matching, period)',
        "data: [...addUp(matching, period), { ...(by ? { day: '9999-12-31' } : {}), currencyCode: 'ZWG', status: 'pending', count: 0, amount: '0.00' }]",
      ],
    ],
  },
  {
    name: 'totals-of-all-accounts',
    broken: 'Totals are those of all accounts.',
    check: 'totals.isolation',
    file: 'routes/read-totals.ts',
    edits: [
      [
        'ledger.snapshot()',
        '[...new Set([account, ...[...service.keys.all.values()].map((key) => key.account)])].flatMap((name) => service.ledger(name).snapshot())',
      ],
    ],
  },
  {
    name: 'totals-without-key',
    broken: 'Totals need no valid key.',
    check: 'totals.authentication',
    file: 'server.ts',
    edits: [
      [
        "  if (access === 'anyone') return { account: '' };",
        "  if (access === 'anyone' || (request.url?.startsWith('/v1/totals') && !request.headers.authorization)) return { account: '-' };",
      ],
    ],
  },
];
