// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const TOTALS: readonly Promised[] = [
  {
    promise: 'Totals and exports answer also if the last change of the account is archived',
    in: ['SPEC.md: Changes'],
    faults: [
      {
        name: 'on PostgreSQL, the nonce of an archived change is lost with its row',
        file: 'src/ledger/totals/postgres/totals.ts',
        from: 'AS nonce OFFSET 0) AS last_change\nLEFT JOIN LATERAL (\nSELECT day, currency_code, status, sum(count)',
        to: 'AS nonce OFFSET 0) AS last_change\nJOIN LATERAL (\nSELECT day, currency_code, status, sum(count)',
        foundBy: { file: 'test/store/postgres.test.ts', test: 'readTotals' },
      },
    ],
  },
  {
    promise: 'Totals of a time zone have the parts of UTC days at both ends',
    in: [],
    faults: [
      {
        name: 'the part at the end is missing',
        file: 'src/ledger/totals/totals-of-zone.ts',
        from: '(toDay + 1) * DAY_MS, beforeMs',
        to: '(toDay + 1) * DAY_MS, beforeMs: null',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'equal the sums of the transactions for every filter, whether the stored totals have none, some or all changes',
        },
      },
      {
        name: 'a day or month has the whole UTC day at the end of the range',
        file: 'src/ledger/totals/totals-of-zone.ts',
        from: 'first.beforeMs - first.fromMs === DAY_MS',
        to: 'others.length === 0',
        foundBy: {
          file: 'src/ledger/totals/totals-of-zone.test.ts',
          test: 'by month, only the UTC days that two months or the range divide are read',
        },
      },
    ],
  },
  {
    promise: 'Totals have every change up to their number',
    in: ['SPEC.md: Totals', 'SPEC.md: `GET /v1/totals`'],
    faults: [
      {
        name: 'the first change after the stored sums is missing',
        file: 'src/ledger/totals/utc-totals.ts',
        from: 'let after = totalsSequence;',
        to: 'let after = totalsSequence + 1;',
        foundBy: {
          file: 'src/ledger/totals/read-totals.test.ts',
          test: 'changes after the stored totals are added to them, and a total of nothing is left out',
        },
      },
      {
        name: 'it is missing, during recordings and additions',
        error: 'of the totals',
        file: 'src/ledger/totals/utc-totals.ts',
        from: 'let after = totalsSequence;',
        to: 'let after = totalsSequence + 1;',
        foundBy: {
          file: 'test/totals/concurrent-totals.test.ts',
          test: 'totals on SQLite during recordings',
        },
      },
    ],
  },
  {
    promise: 'Sums are exact beyond 64 bits, and amounts of different currencies are never added',
    in: [],
    faults: [
      {
        name: 'a sum wraps at 64 bits',
        file: 'src/ledger/totals/totals-sum.ts',
        from: 'sum.amountMinor += amountMinor;',
        to: 'sum.amountMinor = BigInt.asIntN(64, sum.amountMinor + amountMinor);',
        foundBy: {
          file: 'test/totals/beyond-64-bits.test.ts',
          test: 'are exact beyond 64 bits, stored or not',
        },
      },
      {
        name: 'currencies are added',
        file: 'src/ledger/totals/totals-sum.ts',
        from: 'ofDay.get(currencyCode)',
        to: '[...ofDay.values()][0]',
        foundBy: {
          file: 'src/ledger/totals/totals-sum.test.ts',
          test: 'totals of the same day, currency and status are added, others are not',
        },
      },
    ],
  },
  {
    promise: 'A range of days has each day once',
    in: [],
    faults: [
      {
        name: 'the first day of a month is counted twice',
        error: 'Property failed',
        file: 'src/ledger/totals/stored-ranges.ts',
        from: 'to: firstDayOf(first) - 1 }',
        to: 'to: firstDayOf(first) }',
        foundBy: {
          file: 'src/ledger/totals/stored-ranges.test.ts',
          test: 'each day of any range is read exactly once',
        },
      },
    ],
  },
  {
    promise: 'List, totals, export and change feed agree to the cent',
    in: [
      'README.md: List, totals, export',
      'docs/reliability.md: So are they on both stores',
      'docs/reliability.md: Totals are those of',
    ],
    faults: [
      {
        name: 'a change is added twice',
        error: 'of the totals',
        file: 'src/ledger/totals/sqlite/add-to-totals.ts',
        from: 'SET count = count + ?5',
        to: 'SET count = count + ?5 + (?5 > 1)',
        foundBy: {
          file: 'test/totals/concurrent-totals.test.ts',
          test: 'totals on SQLite during recordings',
        },
      },
    ],
  },
];
