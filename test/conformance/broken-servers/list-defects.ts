import type { Defect } from './defect.ts';

/** Faults of the envelope, of the order and of reading all pages. */
export const LIST_DEFECTS: Defect[] = [
  {
    name: 'pages-of-eleven',
    broken: 'A page has eleven transactions.',
    check: 'list.page-size.at-most-ten',
    file: 'routes/list-transactions.ts',
    edits: [['PAGE_SIZE = 10', 'PAGE_SIZE = 11']],
  },
  {
    name: 'short-pages',
    broken: 'A page that is not the last one has nine transactions.',
    check: 'list.page-size.ten',
    file: 'routes/list-transactions.ts',
    edits: [['PAGE_SIZE = 10', 'PAGE_SIZE = 9']],
  },
  {
    name: 'limit-accepted',
    broken: 'The parameter limit changes the size of a page.',
    check: 'parameter.unknown',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "readQuery(query, [...FILTER_NAMES, 'cursor'])",
        "readQuery(query, [...FILTER_NAMES, 'cursor', 'limit'])",
      ],
      ['found.slice(0, PAGE_SIZE)', "found.slice(0, Number(new URLSearchParams(query).get('limit') ?? 10))"],
    ],
  },
  {
    name: 'oldest-first',
    broken: 'The list begins with the oldest transaction.',
    check: 'list.order.newest-first',
    file: 'transaction.ts',
    edits: [['b.createdAtMs - a.createdAtMs', 'a.createdAtMs - b.createdAtMs']],
  },
  {
    name: 'ties-ascending',
    broken: 'Transactions of one millisecond are in ascending order of their references.',
    check: 'list.order.ties',
    file: 'transaction.ts',
    edits: [['? 1 : -1', '? -1 : 1']],
  },
  {
    name: 'ties-without-order',
    broken: 'Transactions of one millisecond are in the order of a locale, not of bytes.',
    check: 'list.order.ties',
    file: 'transaction.ts',
    edits: [['return a.reference < b.reference ? 1 : -1', 'return b.reference.localeCompare(a.reference)']],
  },
  {
    name: 'order-of-seconds',
    broken: 'Transactions of one second are ordered by their references alone.',
    check: 'list.order.newest-first',
    file: 'transaction.ts',
    edits: [
      [
        '  if (a.createdAtMs !== b.createdAtMs) ',
        '  if (Math.floor(a.createdAtMs / 1000) !== Math.floor(b.createdAtMs / 1000)) ',
      ],
    ],
  },
  {
    name: 'cursor-to-an-empty-page',
    broken: 'A full last page has a cursor, which leads to an empty page.',
    check: 'own.page-sizes',
    file: 'routes/list-transactions.ts',
    edits: [['found.length > page.length', 'page.length === PAGE_SIZE']],
  },
  {
    name: 'cursor-on-the-last-page',
    broken: 'The last page has a nextCursor beside hasMore false.',
    check: 'list.envelope.last-page',
    file: 'routes/list-transactions.ts',
    edits: [['if (!hasMore || last === undefined)', 'if (last === undefined)']],
  },
  {
    name: 'has-more-on-the-last-page',
    broken: 'The last page has hasMore true beside nextCursor null.',
    check: 'list.envelope.has-more',
    file: 'routes/list-transactions.ts',
    edits: [['nextCursor: null, hasMore: false', 'nextCursor: null, hasMore: data.length > 0']],
  },
  {
    name: 'cursor-missing',
    broken: 'The last page has no member nextCursor.',
    check: 'list.envelope.fields',
    file: 'routes/list-transactions.ts',
    edits: [['data, nextCursor: null, hasMore: false', 'data, hasMore: false']],
  },
  {
    name: 'cursor-empty',
    broken: 'The nextCursor of the last page is an empty text in place of null.',
    check: 'list.envelope.fields',
    file: 'routes/list-transactions.ts',
    edits: [['nextCursor: null, hasMore: false', "nextCursor: '', hasMore: false"]],
  },
  {
    name: 'has-more-as-text',
    broken: 'hasMore is the text "true".',
    check: 'list.envelope.fields',
    file: 'routes/list-transactions.ts',
    edits: [['body: { data, nextCursor, hasMore }', "body: { data, nextCursor, hasMore: 'true' }"]],
  },
  {
    name: 'empty-list-is-missing',
    broken: 'A list without transactions is 404 in place of an empty page.',
    check: 'list.envelope.empty',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const last = page.at(-1);',
        'const last = page.at(-1);\n  if (last === undefined) return { status: 404, body: {} };',
      ],
    ],
  },
  {
    name: 'partial-content',
    broken: 'A page that is not the last one has the status 206.',
    check: 'list.envelope.status',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'return { status: 200, body: { data, nextCursor, hasMore }',
        'return { status: 206, body: { data, nextCursor, hasMore }',
      ],
    ],
  },
  {
    name: 'count-in-envelope',
    broken: 'A list has a count of all transactions.',
    check: 'list.envelope.no-other-fields',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'body: { data, nextCursor, hasMore }',
        'body: { data, nextCursor, hasMore, total: service.ledger(account).references.size }',
      ],
    ],
  },
  {
    name: 'ties-in-natural-order',
    broken: 'Transactions of one millisecond are in a natural order: row-10 after row-9.',
    check: 'own.ties',
    file: 'transaction.ts',
    edits: [
      [
        'return a.reference < b.reference ? 1 : -1',
        "return b.reference.localeCompare(a.reference, 'en', { numeric: true })",
      ],
    ],
  },
];
