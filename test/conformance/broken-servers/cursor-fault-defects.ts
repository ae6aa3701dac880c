import type { Defect } from './defect.ts';

/** Faults of refusing cursors, of their expiry and of links. */
export const CURSOR_FAULT_DEFECTS: Defect[] = [
  {
    name: 'empty-cursor-first-page',
    broken: 'An empty cursor gives the first page.',
    check: 'parameter.empty',
    file: 'routes/list-transactions.ts',
    edits: [['if (cursor === undefined) {', 'if (!cursor) {']],
  },
  {
    name: 'wrong-code-of-cursor',
    broken: 'A malformed cursor is reported as cursor_expired.',
    check: 'cursor.malformed',
    file: 'routes/list-transactions.ts',
    edits: [["'cursor_malformed'", "'cursor_expired'"]],
  },
  {
    name: 'wrong-code-of-mismatch',
    broken: 'Another filter beside a cursor is reported as cursor_malformed.',
    check: 'cursor.other-filter',
    file: 'routes/list-transactions.ts',
    edits: [["'cursor_filter_mismatch'", "'cursor_malformed'"]],
  },
  {
    name: 'faults-beside-cursor-untold',
    broken: 'Beside a malformed cursor, other faults are not reported.',
    check: 'fault.several',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '  const contents = unsealCursor',
        '  if (!unsealCursor(service.cursorSecret, account, cursor)) faults.length = 0;\n  const contents = unsealCursor',
      ],
    ],
  },
  {
    name: 'expiry-untold',
    broken: 'Beside nextCursor, there is no header Cursor-Expires.',
    check: 'cursor.expires-header',
    file: 'routes/list-transactions.ts',
    edits: [["    'Cursor-Expires': formatTime(expiresAtMs),\n", '']],
  },
  {
    name: 'expiry-in-seconds',
    broken: 'Cursor-Expires is a number of seconds.',
    check: 'cursor.expires-header',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "'Cursor-Expires': formatTime(expiresAtMs)",
        "'Cursor-Expires': String(Math.floor(expiresAtMs / 1000))",
      ],
    ],
  },
  {
    name: 'expiry-in-the-past',
    broken: 'Cursor-Expires is in the past.',
    check: 'cursor.expires-header',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "'Cursor-Expires': formatTime(expiresAtMs)",
        "'Cursor-Expires': formatTime(expiresAtMs - 2 * service.cursorLifetimeMs)",
      ],
    ],
  },
  {
    name: 'expiry-of-the-first-page',
    broken: 'Further pages do not get a fresh expiry.',
    check: 'cursor.fresh',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const expiresAtMs = service.now() + service.cursorLifetimeMs;\n  const contents',
        'const expiresAtMs = expiryOf(position) ?? service.now() + service.cursorLifetimeMs;\n  const contents',
      ],
      ['position: { createdAtMs, reference }', 'position: { createdAtMs, reference, expiresAtMs }'],
      [
        'const PAGE_SIZE = 10;',
        'const PAGE_SIZE = 10;\nconst expiryOf = (position) => position?.expiresAtMs;',
      ],
    ],
  },
  {
    name: 'expired-cursor-accepted',
    broken: 'A cursor is accepted after its expiry.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [['const isExpired = expiresAtMs <= service.now();', 'const isExpired = false;']],
  },
  {
    name: 'expired-cursor-malformed',
    broken: 'An expired cursor is reported as malformed.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [["'cursor_expired'", "'cursor_malformed'"]],
  },
  {
    name: 'resume-missing',
    broken: 'An expired cursor is refused without a request that continues.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [['isExpired ? { resume: resumePath(service, account, contents) } : {}', '{}']],
  },
  {
    name: 'resume-without-filters',
    broken: 'The request that continues has lost the filters.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [['account, { ...contents, expiresAtMs }', 'account, { ...contents, filter: {}, expiresAtMs }']],
  },
  {
    name: 'resume-from-the-day',
    broken: 'The request that continues begins with the day of the last transaction, not after it.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'account, { ...contents, expiresAtMs }',
        "account, { ...contents, position: { createdAtMs: Math.ceil(contents.position.createdAtMs / 86_400_000) * 86_400_000, reference: '' }, expiresAtMs }",
      ],
    ],
  },
  {
    name: 'resume-a-month-late',
    broken: 'The request that continues leaves out the transactions of a month.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'account, { ...contents, expiresAtMs }',
        "account, { ...contents, position: { createdAtMs: contents.position.createdAtMs - 30 * 86_400_000, reference: '~' }, expiresAtMs }",
      ],
    ],
  },
  {
    name: 'resume-with-the-expired-cursor',
    broken: 'The request that continues has the cursor that has expired.',
    check: 'cursor.expired',
    options: { cursorLifetimeSeconds: 8 },
    file: 'routes/list-transactions.ts',
    edits: [['account, { ...contents, expiresAtMs }', 'account, contents']],
  },
  {
    name: 'link-missing',
    broken: 'Beside nextCursor, there is no Link header.',
    check: 'headers.link',
    file: 'routes/list-transactions.ts',
    edits: [['    Link: `<${service.basePath}/v1/transactions?cursor=${nextCursor}>; rel="next"`,\n', '']],
  },
  {
    name: 'link-to-the-first-page',
    broken: 'The Link header leads to the first page.',
    check: 'headers.link',
    file: 'routes/list-transactions.ts',
    edits: [['<${service.basePath}/v1/transactions?cursor=${nextCursor}>', '</v1/transactions>']],
  },
  {
    name: 'link-of-another-relation',
    broken: 'The Link header has the relation last.',
    check: 'headers.link',
    file: 'routes/list-transactions.ts',
    edits: [['rel="next"', 'rel="last"']],
  },
  {
    name: 'link-on-the-last-page',
    broken: 'The last page has a Link header.',
    check: 'headers.link.last-page',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'nextCursor: null, hasMore: false } }',
        'nextCursor: null, hasMore: false }, headers: { Link: \'</v1/transactions>; rel="next"\' } }',
      ],
    ],
  },
  {
    name: 'link-outside-the-base',
    broken: 'Below a path, Link begins with /v1.',
    check: 'headers.link',
    options: { basePath: '/base' },
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '<${service.basePath}/v1/transactions?cursor=${nextCursor}>',
        '</v1/transactions?cursor=${nextCursor}>',
      ],
    ],
  },
  {
    name: 'mismatch-of-the-cursor',
    broken: 'Another filter beside a cursor is reported as a fault of the cursor.',
    check: 'cursor.other-filter',
    file: 'routes/list-transactions.ts',
    edits: [['      parameter: name,\n', "      parameter: 'cursor',\n"]],
  },
  {
    name: 'expiry-in-60-days',
    broken: 'Cursor-Expires is two months ahead.',
    check: 'cursor.expires-header',
    file: 'routes/list-transactions.ts',
    edits: [['formatTime(expiresAtMs),\n  };', 'formatTime(expiresAtMs + 60 * 86_400_000),\n  };']],
  },
];
