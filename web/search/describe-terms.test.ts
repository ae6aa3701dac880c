import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSearch } from '../../client/search-text/read-search.ts';
import { describeTerms } from './describe-terms.ts';

const STATUSES = [
  { status: 'refunded', isPaid: true, written: ['refunded'] },
  { status: 'failed', isPaid: false, written: ['failed'] },
];

test('what a text asks for, in words', () => {
  for (const [text, described] of [
    [
      'AMZ 302 49,90 EUR 2026-10-13',
      'of 49.90 EUR, paid on 13 Oct 2026 (UTC), with AMZ and 302 in a reference or a detail',
    ],
    [
      'jackson 9975 about 80 euros last week',
      'of about 80.00 EUR, paid 16 Nov 2026 to 22 Nov 2026 (UTC), with jackson and 9975 in a reference or a detail',
    ],
    ['1000 to 2000 EUR', 'of 1,000.00 to 2,000.00 EUR'],
    ['over 500 EUR', 'of 500.00 EUR or more'],
    ['< 50', 'of 50.00 or less'],
    ['refunds last month', 'refunded, paid 1 Oct 2026 to 31 Oct 2026 (UTC)'],
    ['failed yesterday', 'failed, created on 25 Nov 2026 (UTC)'],
  ] as const)
    assert.equal(describeTerms(readSearch(text, '2026-11-26', 'en', STATUSES), 'UTC'), described);
});
