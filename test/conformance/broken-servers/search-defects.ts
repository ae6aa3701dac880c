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
        "  if (access === 'anyone') return { account: '' };",
        "  if (access === 'anyone' || (request.url?.startsWith('/v1/search') && !request.headers.authorization)) return { account: '-' };",
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
  {
    name: 'search-of-another-account',
    broken: 'A search also finds a transaction of another account.',
    check: 'search.other-account',
    file: FILE,
    edits: [
      ['import {\n  type Position,', 'import {\n  compareNewestFirst,\n  type Position,'],
      [
        'of service.ledger(account).after(opened?.position)',
        "of [account, 'store-2'].flatMap((one, index) => [...service.ledger(one).after(opened?.position)].filter(({ reference }) => index === 0 || (account !== one && reference === 'only-here'))).sort(compareNewestFirst)",
      ],
    ],
  },
  {
    name: 'search-continued-by-another-account',
    broken: 'A cursor continues the search of any account.',
    check: 'search.other-account',
    file: FILE,
    edits: [['`search of ${account}`', '`search`']],
  },
  {
    name: 'search-with-one-end-of-amounts',
    broken: 'amountFrom is ignored beside amountTo.',
    check: 'search.amount',
    file: FILE,
    edits: [
      ['amountMinor < minor(amountFrom)', '(amountTo === undefined && amountMinor < minor(amountFrom))'],
    ],
  },
  {
    name: 'search-finds-unpaid-by-day',
    broken: 'What has not been paid is found by paidTo.',
    check: 'search.paid',
    file: FILE,
    edits: [['(paidAtMs ?? Infinity)', '(paidAtMs ?? -Infinity)']],
  },
  {
    name: 'search-without-merchant-references',
    broken: 'text is compared with the reference alone.',
    check: 'search.text',
    file: FILE,
    edits: [["transaction.merchantReference ?? ''", "''"]],
  },
  {
    name: 'search-said-to-be-at-the-end',
    broken: 'searchedBackTo is the beginning of time before the search has come there.',
    check: 'search.whole',
    file: FILE,
    edits: [['searchedBackTo: formatTime(createdAtMs)', "searchedBackTo: '0001-01-01T00:00:00.000Z'"]],
  },
  {
    name: 'search-with-any-least-amount',
    broken: 'amountFrom and amountTo that are no amounts are ignored.',
    check: 'search.terms',
    file: FILE,
    edits: [['Object.entries({ amount, amountFrom, amountTo })', 'Object.entries({ amount })']],
  },
  {
    name: 'search-with-inverted-days-of-payment',
    broken: 'A range of days of payment that is inverted finds nothing.',
    check: 'search.terms',
    file: FILE,
    edits: [["(parseDay(paidTo ?? '') ?? Infinity)", 'Infinity']],
  },
  {
    name: 'search-cursor-never-expires',
    broken: 'A cursor of a search is accepted for ever.',
    check: 'search.cursor-expired',
    options: { cursorLifetimeSeconds: 8 },
    file: FILE,
    edits: [['opened !== undefined && opened.expiresAtMs <= service.now()', 'false']],
  },
  {
    name: 'search-resumed-from-the-beginning',
    broken: 'The query in resume begins the search again.',
    check: 'search.cursor-expired',
    options: { cursorLifetimeSeconds: 8 },
    file: FILE,
    edits: [['{ ...opened, expiresAtMs }', '{ ...opened, position: undefined, expiresAtMs }']],
  },
  {
    name: 'search-takes-terms-twice',
    broken: 'A term that is sent twice is taken once.',
    check: 'search.parameters',
    file: FILE,
    edits: [
      [
        'refuse(faults, ',
        "refuse(faults.filter(({ code, parameter }) => code !== 'duplicate_parameter' || !TERMS.some((name) => name === parameter)), ",
      ],
    ],
  },
  {
    name: 'search-ignores-page-sizes',
    broken: 'limit is ignored.',
    check: 'search.parameters',
    file: FILE,
    edits: [['refuse(faults, ', "refuse(faults.filter(({ parameter }) => parameter !== 'limit'), "]],
  },
  {
    name: 'search-continues-with-another-text',
    broken: 'text beside a cursor of another search is ignored.',
    check: 'search.cursor-terms',
    file: FILE,
    edits: [['given[name] !== value)', "name !== 'text' && given[name] !== value)"]],
  },
  {
    name: 'search-without-link',
    broken: 'A response with nextCursor has no Link.',
    check: 'search.cursor-headers',
    file: FILE,
    edits: [['Link: `<${service.basePath}/v1/search?cursor=${nextCursor}>; rel="next"`,', '']],
  },
];
