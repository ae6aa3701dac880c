import type { Defect } from './defect.ts';

const FILE = 'routes/search-transactions.ts';

/** Faults of a search. */
export const SEARCH_DEFECTS: Defect[] = [
  {
    name: 'search-loses-a-row-at-the-end',
    broken: 'The transaction after the last one of a response is left out.',
    check: 'search.whole',
    file: FILE,
    edits: [
      [
        '    if (found.length === MAX_FOUND',
        '    if (found.length === 3) last = transaction;\n    if (found.length === 3',
      ],
    ],
  },
  {
    name: 'search-ignores-text',
    broken: 'text restricts nothing.',
    check: 'search.text',
    file: FILE,
    edits: [['return text === undefined ||', 'return text !== undefined ||']],
  },
  {
    name: 'search-by-capitals',
    broken: 'text is compared with regard to capitals.',
    check: 'search.text',
    file: FILE,
    edits: [['one.toLowerCase().includes(text.toLowerCase())', 'one.includes(text)']],
  },
  {
    name: 'search-without-the-last-paid-day',
    broken: 'paidTo is exclusive.',
    check: 'search.paid',
    file: FILE,
    edits: [['addDays(parseDay(paidTo) ?? 0, 1)', '(parseDay(paidTo) ?? 0)']],
  },
  {
    name: 'search-without-the-least-amount',
    broken: 'The least amount is exclusive.',
    check: 'search.amount',
    file: FILE,
    edits: [
      ['amountMinor < minor(amountFrom)', '(amountFrom !== undefined && amountMinor <= minor(amountFrom))'],
    ],
  },
  {
    name: 'search-without-a-term-lists',
    broken: 'A search without a term lists everything.',
    check: 'search.terms',
    file: FILE,
    edits: [['if (!TERMS.some(', 'if (TERMS.length === 0 && !TERMS.some(']],
  },
  {
    name: 'search-ignores-unknown-parameters',
    broken: 'An unknown or repeated parameter is ignored.',
    check: 'search.parameters',
    file: FILE,
    edits: [
      [
        "const { values, faults } = readQuery(query, [...FILTER_NAMES, ...TERMS, 'cursor']);",
        "const { values } = readQuery(query, [...FILTER_NAMES, ...TERMS, 'cursor']);\n  const faults: Fault[] = [];",
      ],
    ],
  },
  {
    name: 'search-without-key',
    broken: 'A search needs no valid key.',
    check: 'search.authentication',
    file: 'server.ts',
    edits: [
      [
        "  if (access === 'anyone') return '';",
        "  if (access === 'anyone' || (request.url?.startsWith('/v1/search') && !request.headers.authorization)) return '-';",
      ],
    ],
  },
  {
    name: 'search-takes-cursors-of-the-list',
    broken: 'A cursor of another collection begins the search again.',
    check: 'search.cursors',
    file: FILE,
    edits: [
      [
        '  if (opened === undefined)\n    return [{ parameter',
        '  if (opened === undefined)\n    return []; else if (opened === null) return [{ parameter',
      ],
    ],
  },
];
