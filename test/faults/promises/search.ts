// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const SEARCH: readonly Promised[] = [
  {
    promise: 'A search finds each transaction that matches, once, and says how far back it has looked',
    in: ['SPEC.md: Search', 'SPEC.md: `GET /v1/search`'],
    faults: [
      {
        name: 'what a full response has no place for is left out',
        file: 'src/ledger/search/search-transactions.ts',
        from: 'return { transactions, next: { createdAtMs, reference } };',
        to: 'return { transactions, next };',
        foundBy: {
          file: 'test/http/200-search.test.ts',
          test: '200: a response has at most 100 transactions, and its cursor alone continues after them',
        },
      },
      {
        name: 'a search ends where a response ends',
        file: 'src/ledger/search/sqlite/search-transactions.ts',
        from: 'end: last ?? null',
        to: 'end: rows.length === 0 ? null : (last ?? null)',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'a step compares as many transactions as its caller says, also if none matches',
        },
      },
    ],
  },
  {
    promise: 'A cursor of a search continues the search of its own account alone',
    in: [],
    faults: [
      {
        name: 'a cursor of another account continues the search',
        file: 'src/ledger/search/search-cursor.ts',
        from: 'const owner = (account: string) => `search ${account}`;',
        to: 'const owner = (_: string) => `search`;',
        foundBy: {
          file: 'test/http/200-search.test.ts',
          test: '400: a cursor of a list, of another account or another search is refused',
        },
      },
    ],
  },
];
