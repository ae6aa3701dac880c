import type { Defect } from './defect.ts';

/** Faults of checking the values of filters. */
export const VALUE_DEFECTS: Defect[] = [
  {
    name: 'currency-in-any-case',
    broken: 'currency=eur is accepted.',
    check: 'currency.invalid.form',
    file: 'filter.ts',
    edits: [['    if (isCurrency(value)) return', '    if (isCurrency(value.toUpperCase())) return']],
  },
  {
    name: 'currency-unchecked',
    broken: 'A currency that does not exist is an empty list.',
    check: 'currency.invalid.inactive',
    file: 'filter.ts',
    edits: [['    if (isCurrency(value)) return', '    if (/^[A-Z]{3}$/.test(value)) return']],
  },
  {
    name: 'currency-hint-missing',
    broken: 'The refusal of currency=eur does not mention EUR.',
    check: 'currency.hint',
    file: 'filter.ts',
    edits: [[': did you mean ${upper}?', '']],
  },
  {
    name: 'status-in-any-case',
    broken: 'status=COMPLETED is accepted.',
    check: 'status.invalid',
    file: 'filter.ts',
    edits: [['if (statuses.has(value))', 'if (statuses.has(value.toLowerCase()))']],
  },
  {
    name: 'status-unchecked',
    broken: 'A status that does not exist is an empty list.',
    check: 'status.invalid',
    file: 'filter.ts',
    edits: [['if (statuses.has(value))', "if (value !== '')"]],
  },
  {
    name: 'status-trimmed',
    broken: 'Spaces around a value are ignored.',
    check: 'date.invalid',
    file: 'filter.ts',
    edits: [['const value = values.get(name);', 'const value = values.get(name)?.trim();']],
  },
  {
    name: 'empty-value-absent',
    broken: 'An empty value counts as an absent one.',
    check: 'parameter.empty',
    file: 'filter.ts',
    edits: [['if (value === undefined) continue;', 'if (!value) continue;']],
  },
  {
    name: 'wrong-code-of-status',
    broken: 'An unknown status is reported as invalid_request.',
    check: 'status.invalid',
    file: 'filter.ts',
    edits: [["code: 'invalid_status'", "code: 'invalid_request'"]],
  },
  {
    name: 'wrong-code-of-currency',
    broken: 'An unknown currency is reported as currency_invalid.',
    check: 'currency.invalid.form',
    file: 'filter.ts',
    edits: [["code: 'invalid_currency'", "code: 'currency_invalid'"]],
  },
  {
    name: 'wrong-code-of-date',
    broken: 'A date of another form is reported as invalid_from.',
    check: 'date.invalid',
    file: 'filter.ts',
    edits: [["code: 'invalid_date'", "code: 'invalid_from'"]],
  },
  {
    name: 'wrong-code-of-inverted-range',
    broken: 'An inverted range is reported as invalid_date.',
    check: 'range.inverted',
    file: 'filter.ts',
    edits: [["'date_range_inverted'", "'invalid_date'"]],
  },
  {
    name: 'wrong-code-of-long-range',
    broken: 'A long range is reported as invalid_date.',
    check: 'range.ninety-one-days.refused',
    file: 'filter.ts',
    edits: [["'date_range_too_long'", "'invalid_date'"]],
  },
  {
    name: 'withdrawn-currency',
    broken: 'A currency that was withdrawn is accepted, as by the list of the runtime.',
    check: 'currency.invalid.inactive',
    file: 'currencies.ts',
    edits: [
      [
        'CODES.has(text)',
        "CODES.has(text) || (text.length === 3 && Intl.supportedValuesOf('currency').includes(text))",
      ],
    ],
  },
  {
    name: 'thirtieth-of-february',
    broken: 'The 30th of February is accepted.',
    check: 'date.invalid.both-bounds',
    file: 'times.ts',
    edits: [
      [
        ' || formatDay(ms) !== text ? undefined : ms;\n}\n\nexport function formatDay',
        ' ? undefined : ms;\n}\n\nexport function formatDay',
      ],
    ],
  },
  {
    name: 'date-without-zeros',
    broken: 'The date 2026-3-1 is accepted.',
    check: 'date.invalid.both-bounds',
    file: 'times.ts',
    edits: [
      [
        'export function parseDay(text: string): number | undefined {',
        "export function parseDay(given: string): number | undefined {\n  const text = given.replace(/-([0-9])(?![0-9])/g, '-0$1');",
      ],
    ],
  },
  {
    name: 'date-with-time',
    broken: 'A date with a time is accepted, and the time ignored.',
    check: 'date.invalid.both-bounds',
    file: 'times.ts',
    edits: [
      [
        'export function parseDay(text: string): number | undefined {',
        'export function parseDay(given: string): number | undefined {\n  const [text = given] = given.split(/T(?=[0-9]{2}:)/);',
      ],
    ],
  },
  {
    name: 'year-zero',
    broken: 'The year 0000 is accepted.',
    check: 'date.invalid',
    file: 'times.ts',
    edits: [[" || text.startsWith('0000')", '']],
  },
  {
    name: 'pending-unknown',
    broken: 'status=pending is refused.',
    check: 'status.accepted',
    file: 'filter.ts',
    edits: [['if (statuses.has(value))', "if (statuses.has(value) && value !== 'pending')"]],
  },
  {
    name: 'few-currencies',
    broken: 'Only the currencies of a short list are accepted.',
    check: 'currency.accepted',
    file: 'currencies.ts',
    edits: [['CODES.has(text)', "CODES.has(text) && ['EUR', 'USD', 'GBP', 'JPY', 'CHF'].includes(text)"]],
  },
];
