import type { Corruption } from './corruptions.ts';

export const OF_EXPORTS: readonly Corruption[] = [
  {
    name: 'the record of an export is cut off',
    sql: `UPDATE exports SET record = substr(record, 1, 20)`,
    reported: ['store-1, export exp_0123456789abcdef: a record that is no JSON object'],
  },
  {
    name: 'the record of an export has another account',
    sql: `UPDATE exports SET record = replace(record, 'store-1', 'store-2')`,
    reported: ['store-1, export exp_0123456789abcdef: account "store-2" in the record'],
  },
  {
    name: 'the record of an export has no time',
    sql: `UPDATE exports SET record = replace(record, 'startedAtMs', 'startedCtMs')`,
    reported: ['store-1, export exp_0123456789abcdef: startedAtMs undefined in the record'],
  },
];
