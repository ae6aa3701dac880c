import type { Defect } from './defect.ts';

/** Faults of reading all pages, most of them while something is recorded. */
export const PAGE_DEFECTS: Defect[] = [
  {
    name: 'ties-lost',
    broken: 'The cursor has no tie-break: the next page skips the rest of the millisecond.',
    check: 'pages.boundaries',
    file: 'ledger.ts',
    edits: [['this.#indexAfter(position);', "this.#indexAfter({ ...position, reference: '' });"]],
  },
  {
    name: 'ties-repeated',
    broken: 'The cursor has no tie-break: the next page begins at the start of the millisecond again.',
    check: 'pages.at-most-once',
    file: 'ledger.ts',
    edits: [['this.#indexAfter(position);', "this.#indexAfter({ ...position, reference: '~' });"]],
  },
  {
    name: 'last-row-repeated',
    broken: 'A page begins with the last transaction of the page before.',
    check: 'pages.ends',
    file: 'ledger.ts',
    edits: [['this.#indexAfter(position);', 'this.#indexAfter(position) - 1;']],
  },
  {
    name: 'row-between-pages-lost',
    broken: 'The transaction that showed that there is another page is skipped.',
    check: 'pages.boundaries',
    file: 'routes/list-transactions.ts',
    edits: [['const last = page.at(-1)', 'const last = found.at(-1)']],
  },
  {
    name: 'offset-paging',
    broken: 'The cursor is an offset: what is recorded while pages are read makes rows come again.',
    check: 'live.inserts',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const matches = matcher(filter);',
        'const matches = matcher(filter);\n  let skip = position?.createdAtMs ?? 0;',
      ],
      ['.after(position)', '.after(undefined)'],
      ['if (matches(transaction)) ', 'if (matches(transaction) && skip-- <= 0) '],
      [
        'const { createdAtMs, reference } = last;',
        "const [createdAtMs, reference] = [(position?.createdAtMs ?? 0) + 10, ''];",
      ],
    ],
  },
  {
    name: 'stops-after-five-pages',
    broken: 'The pages end after fifty transactions as if there were no more.',
    check: 'pages.boundaries',
    file: 'routes/list-transactions.ts',
    edits: [
      ['found.length > page.length', 'found.length > page.length && (position?.count ?? 0) < 40'],
      [
        'position: { createdAtMs, reference }',
        'position: { createdAtMs, reference, count: (position?.count ?? 0) + 10 }',
      ],
    ],
  },
  {
    name: 'hidden-window',
    broken: 'Without a range, only the last thirty days are listed.',
    check: 'pages.no-default-window',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const matches = matcher(filter);',
        'const matches = matcher(filter.from || filter.to ? filter : { ...filter, from: formatDay(service.now() - 30 * 86_400_000) });',
      ],
    ],
  },
  {
    name: 'stale-list',
    broken: 'The first page is cached for ten seconds: a new transaction is not on it.',
    check: 'own.read-your-writes',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'export function listTransactions({ service, account, query }: Call): Answer {',
        "const cache = new Map<string, { answer: Answer; atMs: number }>();\nexport function listTransactions(call: Call): Answer {\n  const key = call.account + '?' + call.query;\n  const cached = cache.get(key);\n  if (cached && cached.atMs > call.service.now() - 10_000) return cached.answer;\n  const answer = listFresh(call);\n  cache.set(key, { answer, atMs: call.service.now() });\n  return answer;\n}\nfunction listFresh({ service, account, query }: Call): Answer {",
      ],
    ],
  },
  {
    name: 'lagging-replica',
    broken: 'A replica that lags answers every third list: the newest transactions are missing.',
    check: 'pages.repeatable',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '  const matches = matcher(filter);',
        '  if (position === undefined) lists++;\n  const newest = lists % 3 === 0 ? service.ledger(account).snapshot()[2] : undefined;\n  const matches = (transaction: Transaction) => transaction !== newest && matcher(filter)(transaction);',
      ],
      ['const PAGE_SIZE = 10;', 'const PAGE_SIZE = 10;\nlet lists = 0;'],
    ],
  },
  {
    name: 'amounts-that-drift',
    broken: 'Amounts are converted at the rate of the moment.',
    check: 'pages.unchanging',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'page.map(showTransaction)',
        'page.map((one) => showTransaction({ ...one, amountMinor: one.amountMinor + BigInt(lists) }))',
      ],
      [
        '  const matches = matcher(filter);',
        '  if (position === undefined) lists++;\n  const matches = matcher(filter);',
      ],
      ['const PAGE_SIZE = 10;', 'const PAGE_SIZE = 10;\nlet lists = 0;'],
    ],
  },
  {
    name: 'retention-window',
    broken: 'Transactions of more than five years ago are not listed.',
    check: 'own.history',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '  const matches = matcher(filter);',
        '  const oldestMs = service.now() - 5 * 366 * 86_400_000;\n  const matches = (one: Transaction) => matcher(filter)(one) && one.createdAtMs > oldestMs;',
      ],
    ],
  },
  {
    name: 'paid-moves-up',
    broken: 'A transaction that is paid moves to the top of the list.',
    check: 'live.payments',
    file: 'ledger.ts',
    edits: [
      [
        'else this.#newestFirst[end - 1] = transaction;',
        'else this.#newestFirst.unshift(...this.#newestFirst.splice(end - 1, 1).map(() => transaction));',
      ],
    ],
  },
  {
    name: 'offset-with-status',
    broken: 'With a status, the cursor is an offset: what leaves the filter makes others be skipped.',
    check: 'live.filtered',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const matches = matcher(filter);',
        'const matches = matcher(filter);\n  let skip = filter.status ? (position?.createdAtMs ?? 0) : 0;',
      ],
      ['.after(position)', '.after(filter.status ? undefined : position)'],
      ['if (matches(transaction)) ', 'if (matches(transaction) && skip-- <= 0) '],
      [
        'const { createdAtMs, reference } = last;',
        "const { createdAtMs, reference } = filter.status ? { createdAtMs: (position?.createdAtMs ?? 0) + 10, reference: '' } : last;",
      ],
    ],
  },
  {
    name: 'cursor-counts-from-the-end',
    broken: 'The cursor is the number of transactions that are left.',
    check: 'live.cursor-stays',
    file: 'routes/list-transactions.ts',
    edits: [
      ['.after(position)', '.after(undefined)'],
      [
        'const matches = matcher(filter);',
        'const matches = matcher(filter);\n  const all = service.ledger(account).snapshot().filter(matches);\n  let skip = position === undefined ? 0 : Math.ceil((all.length - position.createdAtMs) / 10) * 10;',
      ],
      ['if (matches(transaction)) ', 'if (matches(transaction) && skip-- <= 0) '],
      [
        'const { createdAtMs, reference } = last;',
        'const { reference } = last;\n  const createdAtMs = all.length - all.indexOf(last) - 1;',
      ],
    ],
  },
  {
    name: 'hidden-window-beside-to',
    broken: 'Without from, only the last 90 days are listed.',
    check: 'pages.no-default-window',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'const matches = matcher(filter);',
        'const matches = matcher(filter.from ? filter : { ...filter, from: formatTime(service.now() - 90 * 86_400_000).slice(0, 10) });',
      ],
    ],
  },
];
