import type { Defect } from './defect.ts';

/** Faults of the filters. */
export const FILTER_DEFECTS: Defect[] = [
  {
    name: 'status-ignored',
    broken: 'The filter status is ignored.',
    check: 'filter.status.only',
    file: 'filter.ts',
    edits: [['status === undefined || transaction.status === status', 'true']],
  },
  {
    name: 'currency-ignored',
    broken: 'The filter currency is ignored.',
    check: 'filter.currency.only',
    file: 'filter.ts',
    edits: [['currency === undefined || transaction.currencyCode === currency', 'true']],
  },
  {
    name: 'status-ignored-with-currency',
    broken: 'status is ignored beside currency.',
    check: 'filter.combined.only',
    file: 'filter.ts',
    edits: [
      [
        'status === undefined || transaction.status === status',
        'currency !== undefined || status === undefined || transaction.status === status',
      ],
    ],
  },
  {
    name: 'currency-ignored-with-range',
    broken: 'currency is ignored beside a range.',
    check: 'filter.combined.only',
    file: 'filter.ts',
    edits: [
      [
        'currency === undefined || transaction.currencyCode === currency',
        '(from ?? to) !== undefined || currency === undefined || transaction.currencyCode === currency',
      ],
    ],
  },
  {
    name: 'range-ignored-with-filters',
    broken: 'A range is ignored beside status and currency.',
    check: 'filter.combined.only',
    file: 'filter.ts',
    edits: [['const fromMs = ', 'if (status && currency) [from, to] = [];\n  const fromMs = ']],
  },
  {
    name: 'filters-joined-by-or',
    broken: 'Two filters list what matches one of them.',
    check: 'filter.combined.only',
    file: 'filter.ts',
    edits: [
      [
        '(status === undefined || transaction.status === status) &&\n    (currency === undefined || transaction.currencyCode === currency)',
        '(status && currency ? transaction.status === status || transaction.currencyCode === currency : (status === undefined || transaction.status === status) && (currency === undefined || transaction.currencyCode === currency))',
      ],
    ],
  },
  {
    name: 'old-pending-lost',
    broken: 'status=pending lists the last thirty days alone.',
    check: 'filter.status.complete',
    file: 'filter.ts',
    edits: [
      [
        '(status === undefined || transaction.status === status)',
        "(status === undefined || (transaction.status === status && (status !== 'pending' || transaction.createdAtMs > Date.now() - 30 * 86_400_000)))",
      ],
    ],
  },
  {
    name: 'currency-joins',
    broken: 'currency loses transactions without a merchantReference, as an inner join does.',
    check: 'filter.currency.complete',
    file: 'filter.ts',
    edits: [
      [
        'transaction.currencyCode === currency)',
        '(transaction.currencyCode === currency && transaction.merchantReference !== null))',
      ],
    ],
  },
  {
    name: 'combination-loses',
    broken: 'status and currency together lose transactions whose merchantReference is null.',
    check: 'filter.combined.complete',
    file: 'filter.ts',
    edits: [
      [
        '    transaction.createdAtMs >= fromMs &&',
        '    !(status && currency && transaction.merchantReference === null) &&\n    transaction.createdAtMs >= fromMs &&',
      ],
    ],
  },
  {
    name: 'filter-ignored-far-back',
    broken: 'Transactions of more than 400 days ago are in another table, in which status is ignored.',
    check: 'filter.deep',
    file: 'filter.ts',
    edits: [
      [
        '(status === undefined || transaction.status === status)',
        '(status === undefined || transaction.status === status || transaction.createdAtMs < Date.now() - 400 * 86_400_000)',
      ],
    ],
    rows: 2000,
  },
  {
    name: 'merchant-reference-ignored',
    broken: 'The filter merchantReference is accepted and ignored.',
    check: 'filter.merchant-reference',
    file: 'filter.ts',
    edits: [
      ['(merchantReference === undefined || transaction.merchantReference === merchantReference)', 'true'],
    ],
  },
  {
    name: 'four-filters-are-three',
    broken: 'Beside status, currency and from, to is ignored.',
    check: 'own.filters',
    file: 'filter.ts',
    edits: [['to === undefined ? Infinity', 'to === undefined || (status && currency && from) ? Infinity']],
  },
  {
    name: 'merchant-reference-in-any-case',
    broken: 'The filter merchantReference ignores case.',
    check: 'own.merchant-reference',
    file: 'filter.ts',
    edits: [
      [
        'transaction.merchantReference === merchantReference',
        'transaction.merchantReference?.toLowerCase() === merchantReference.toLowerCase()',
      ],
    ],
  },
  {
    name: 'merchant-reference-prefix',
    broken: 'merchantReference matches the beginning of a text.',
    check: 'filter.merchant-reference',
    file: 'filter.ts',
    edits: [
      [
        'transaction.merchantReference === merchantReference',
        'transaction.merchantReference?.startsWith(merchantReference)',
      ],
    ],
  },
  {
    name: 'merchant-reference-empty-filter',
    broken: 'An empty merchantReference is accepted.',
    check: 'filter.merchant-reference.invalid',
    file: 'filter.ts',
    edits: [['{1,255}', '{0,255}']],
  },
  {
    name: 'merchant-reference-in-units',
    broken: 'The length of a merchantReference is counted in units of UTF-16.',
    check: 'filter.merchant-reference.invalid',
    file: 'filter.ts',
    edits: [['{1,255}$/u.test(value)', '{1,255}$/u.test(value) && value.length <= 255']],
  },
  {
    name: 'long-text-in-cursor',
    broken: 'A cursor contains the merchantReference, however long.',
    check: 'filter.merchant-reference.long',
    file: 'routes/list-transactions.ts',
    edits: [['    filter: shorten(filter, service.texts),', '    filter,']],
  },
  {
    name: 'long-text-not-in-link',
    broken: 'A long merchantReference is needed beside the cursor, but is not in Link.',
    check: 'filter.merchant-reference.long',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'faults.push(...findMismatches(filter, given));',
        "faults.push(...findMismatches(filter, given));\n  if (filter !== contents.filter && given.merchantReference === undefined)\n    faults.push({ parameter: 'merchantReference', code: 'cursor_filter_mismatch', detail: 'It is missing' });",
      ],
    ],
  },
];
