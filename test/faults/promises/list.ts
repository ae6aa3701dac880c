// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const LIST: readonly Promised[] = [
  {
    promise: 'The list is in one order: newest first, ties by the bytes of the reference',
    in: ['SPEC.md: `GET /v1/transactions`'],
    faults: [
      {
        name: 'ties in the reverse order',
        file: 'src/ledger/list/sqlite/list-sql.ts',
        from: 'ORDER BY created_at_ms DESC, reference DESC\nLIMIT',
        to: 'ORDER BY created_at_ms DESC, reference\nLIMIT',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'lists newest first, ties by the bytes of the reference, descending',
        },
      },
    ],
  },
  {
    promise: 'A page has ten transactions, and hasMore and nextCursor say whether there is another',
    in: ['SPEC.md: Pages', 'SPEC.md: List'],
    faults: [
      {
        name: 'nine on a page',
        file: 'src/ledger/list/list-transactions.ts',
        from: 'PAGE_SIZE = 10;',
        to: 'PAGE_SIZE = 9;',
        foundBy: { file: 'src/ledger/list/list-transactions.test.ts', test: 'a page has ten transactions' },
      },
      {
        name: 'a full page is never the last',
        file: 'src/ledger/list/list-transactions.ts',
        from: 'transactions.length <= PAGE_SIZE',
        to: 'transactions.length < PAGE_SIZE',
        foundBy: {
          file: 'src/ledger/list/list-transactions.test.ts',
          test: 'a list of up to ten transactions is one page, and the last',
        },
      },
    ],
  },
  {
    promise:
      'Reading all pages returns each transaction that exists and does not change exactly once, whatever is recorded meanwhile',
    in: ['README.md: Reading all pages', 'SPEC.md: Consistency'],
    faults: [
      {
        name: 'a page begins one transaction too early',
        file: 'src/ledger/list/list-transactions.ts',
        from: 'transactions[PAGE_SIZE - 1]',
        to: 'transactions[PAGE_SIZE - 2]',
        foundBy: {
          file: 'test/http/200-list-transactions.test.ts',
          test: '200: a transaction recorded during a walk moves no other transaction',
        },
      },
      {
        name: 'transactions of the time of the last one are skipped',
        file: 'src/ledger/list/sqlite/list-sql.ts',
        from: '(created_at_ms, reference) < (${parameter()}, ${parameter()})',
        to: 'created_at_ms < ${parameter()} AND ${parameter()} IS NOT NULL',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'every combination of filters, from every position, returns exactly the expected list',
        },
      },
      {
        name: 'transactions of the time of the last one are skipped, during recordings',
        error: 'of the walks',
        file: 'src/ledger/list/sqlite/list-sql.ts',
        from: '(created_at_ms, reference) < (${parameter()}, ${parameter()})',
        to: 'created_at_ms < ${parameter()} AND ${parameter()} IS NOT NULL',
        foundBy: {
          file: 'test/walks/concurrent-walks.test.ts',
          test: 'walks on SQLite during recordings lose, repeat and invent no row',
        },
      },
    ],
  },
  {
    promise: 'Every moment is in exactly one day of a time zone',
    in: ['SPEC.md: Times'],
    faults: [
      {
        name: 'the second of two midnights begins the day',
        file: 'src/values/time-zone.ts',
        from: 'midnightMs - before < changeMs ?',
        to: 'midnightMs - after < changeMs ?',
        foundBy: {
          file: 'src/values/time-zone.test.ts',
          test: 'a day begins at midnight of the clocks of its time zone',
        },
      },
    ],
  },
  {
    promise: 'The days of a range are whole UTC days, both inclusive',
    in: ['SPEC.md: Times'],
    faults: [
      {
        name: 'the last day is left out',
        file: 'src/ledger/list/list-filter.ts',
        from: 'startOfDayMs(timeZone, toDay + 1)',
        to: 'startOfDayMs(timeZone, toDay)',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'the days of a range are whole UTC days, both inclusive, to the millisecond',
        },
      },
      {
        name: 'a time is rounded to its second',
        file: 'src/values/calendar.ts',
        from: 'return wholeMs + fraction * 10 ** (3 - fractionDigits);',
        to: 'return wholeMs;',
        foundBy: {
          file: 'src/values/calendar.test.ts',
          test: 'a timestamp can have zero to three decimals of a second',
        },
      },
    ],
  },
  {
    promise: 'A range of a list has at most 90 days',
    in: [],
    faults: [
      {
        name: '91 days are accepted',
        file: 'src/ledger/list/list-filter.ts',
        from: 'MAX_RANGE_DAYS = 90',
        to: 'MAX_RANGE_DAYS = 91',
        foundBy: {
          file: 'src/ledger/list/list-filter.test.ts',
          test: 'a range of 90 days is accepted and one of 91 is refused',
        },
      },
    ],
  },
  {
    promise: 'A filter is applied or refused, never ignored',
    in: ['SPEC.md: Parameters', 'SPEC.md: Requests'],
    faults: [
      {
        name: 'an unknown parameter is ignored',
        file: 'src/values/query-parameters.ts',
        from: "faults.add({ parameter: name, code: 'unknown_parameter', detail });",
        to: 'void detail;',
        foundBy: {
          file: 'src/ledger/list/http/list-query.test.ts',
          test: 'unknown_parameter: a misspelt parameter is refused, and the probable one suggested',
        },
      },
      {
        name: 'the first of two values is used',
        file: 'src/values/query-parameters.ts',
        from: "faults.add({ parameter: name, code: 'duplicate_parameter', detail });",
        to: 'values[name] = value[0] as string; void detail;',
        foundBy: {
          file: 'src/ledger/list/http/list-query.test.ts',
          test: 'duplicate_parameter: a repeated parameter is refused, even with the same value',
        },
      },
      {
        name: 'capitals do not count',
        file: 'src/values/currency.ts',
        from: 'ACTIVE_CURRENCIES.has(text)',
        to: 'ACTIVE_CURRENCIES.has(text.toUpperCase())',
        foundBy: { file: 'src/values/currency.test.ts', test: 'a code is matched exactly' },
      },
      {
        name: 'a withdrawn currency is accepted',
        file: 'src/values/currency.ts',
        from: 'AED AFN',
        to: 'AED DEM AFN',
        foundBy: { file: 'src/values/currency.test.ts', test: 'withdrawn codes are refused' },
      },
    ],
  },
  {
    promise: 'A page costs the same at any depth: it reads one range of one index',
    in: ['README.md: A page costs', 'SECURITY.md: A page reads'],
    faults: [
      {
        name: 'a list by status reads the whole account',
        file: 'src/ledger/list/sqlite/list-sql.ts',
        from: "status: 'INDEXED BY transactions_by_status',",
        to: 'status: CLUSTERED_TABLE,',
        foundBy: { file: 'test/store/sqlite-plans.test.ts', test: 'searches its index, without a sort: ' },
      },
    ],
  },
  {
    promise: 'An amount is exact, with two decimals',
    in: ['SPEC.md: Money'],
    faults: [
      {
        name: 'one decimal is read as hundredths',
        file: 'src/values/amount.ts',
        from: ".padEnd(2, '0')",
        to: ".padStart(2, '0')",
        foundBy: { file: 'src/values/amount.test.ts', test: 'an amount of at most two decimals is exact' },
      },
      {
        name: 'the sign of a refund is lost',
        file: 'src/values/amount.ts',
        from: "`${amountMinor < 0 ? '-' : ''}",
        to: "`${amountMinor < -99 ? '-' : ''}",
        foundBy: {
          file: 'src/values/amount.test.ts',
          test: 'an amount is written with exactly two decimals',
        },
      },
    ],
  },
  {
    promise: 'A transaction is found by its reference, in its own account alone',
    in: [
      'SPEC.md: Retrieve',
      'SPEC.md: `GET /v1/transactions/{reference}`',
      'SPEC.md: Transactions',
      'SECURITY.md: Another account',
    ],
    faults: [
      {
        name: 'it is found in every account',
        file: 'src/ledger/list/sqlite/retrieve-transaction.ts',
        from: 'account = ? AND',
        to: '(account = ? OR true) AND',
        foundBy: {
          file: 'test/http/404-retrieve-transaction.test.ts',
          test: '404 not_found: an unknown reference and one of another account get the same response',
        },
      },
    ],
  },
  {
    promise: 'Fields are read and written one by one: an unknown field is refused',
    in: ['SECURITY.md: Fields are read'],
    faults: [
      {
        name: 'an unknown field of a body is ignored',
        file: 'src/values/fault-list.ts',
        from: 'if (known.has(field)) continue;',
        to: "if (known.has(field) || field !== '') continue;",
        foundBy: {
          file: 'test/http/operator/record-transaction.test.ts',
          test: '422 invalid_fields: lists all faults at once',
        },
      },
    ],
  },
];
