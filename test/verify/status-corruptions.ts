import type { Corruption } from './corruptions.ts';

/** Statuses that no service records, or that it records in another way. */
export const OF_STATUSES: readonly Corruption[] = [
  {
    name: 'a status that is no name',
    sql: `UPDATE transactions SET status = 'Refunded!' WHERE account = 'store-1' AND reference = 'store-1.e'`,
    reported: [
      'store-1, transaction store-1.e: status "Refunded!"',
      'store-1, daily total of 1969-12-31 EUR refunded: -0.40 in 1 transaction',
      'store-1, daily total of 1969-12-31 EUR Refunded!: nothing',
    ],
  },
  {
    name: 'a status that no filter accepts, because it is not noted',
    sql: 'DELETE FROM recorded_statuses',
    reported: ['store-1, transaction store-1.e: status "refunded"'],
  },
];
