import { globSync } from 'node:fs';
import type { Change } from '../isolation/change.ts';
import { POSTGRES } from '../isolation/postgres.ts';
import { POSTGRES_WEBHOOKS } from '../isolation/postgres-webhooks.ts';
import { SQLITE_WEBHOOKS } from '../isolation/sqlite-webhooks.ts';
import {
  CHANGES_TEST,
  COUNTED_TEST,
  EXPORT_TEST,
  EXPORTED_TEST,
  FIND_TEST,
  HASH_TEST,
  IMPORT_TEST,
  KEYS_TEST,
  LIST_TEST,
  ONCE_TEST,
  RECORD_TEST,
  REPLACED_TEST,
  ROLL_TEST,
  TOTALS_TEST,
  TRANSACTION_CHANGES_TEST,
} from '../isolation/test-names.ts';
import { type PlantedFault, ROOT } from '../planted-fault.ts';
import type { Promised } from '../promised.ts';

/** The file with the SQL of a capability, by its name, which is unique among those for the same database. */
function fileOf(database: string, name: string): string {
  const [file, ...more] = globSync(`src/**/${database}/${name}`, { cwd: ROOT });
  if (file === undefined || more.length > 0) throw new Error(`${name} is not one file for ${database}`);
  return file;
}

/** Each change removes the account from one statement. */
const SQLITE: Change[] = [
  [
    'a list',
    'list-sql.ts',
    "...more].join(' AND ')",
    "...more].join(' AND ').replace('account = ?1', '(account = ?1 OR true)')",
    LIST_TEST,
  ],
  ['a lookup', 'retrieve-transaction.ts', 'account = ? AND', '(account = ? OR true) AND', FIND_TEST],
  [
    'a completion',
    'record-transactions.ts',
    'WHERE account = ? AND reference = ?`',
    'WHERE (account = ? OR true) AND reference = ?`',
    RECORD_TEST,
  ],
  [
    'the changes that made transactions pending',
    'list-changes.ts',
    'account = ?1 AND pending_sequence',
    '(account = ?1 OR true) AND pending_sequence',
    CHANGES_TEST,
  ],
  [
    'the changes of a transaction',
    'list-changes.ts',
    'account = ? AND reference = ?',
    '(account = ? OR true) AND reference = ?',
    TRANSACTION_CHANGES_TEST,
  ],
  [
    'the changes to a final status',
    'list-changes.ts',
    'account = ?1 AND final_sequence',
    '(account = ?1 OR true) AND final_sequence',
    CHANGES_TEST,
  ],
  [
    'a head',
    'sequence-numbers.ts',
    'FROM accounts WHERE account = ?',
    'FROM accounts WHERE (account = ? OR true)',
    CHANGES_TEST,
  ],
  [
    'the largest number',
    'sequence-numbers.ts',
    'WHERE account = ?1 AND',
    'WHERE (account = ?1 OR true) AND',
    CHANGES_TEST,
  ],
  [
    'the sums of changes that made transactions pending',
    'totals.ts',
    'account = ?1 AND pending_sequence',
    '(account = ?1 OR true) AND pending_sequence',
    TOTALS_TEST,
  ],
  [
    'the sums of changes to a final status',
    'totals.ts',
    'account = ?1 AND final_sequence',
    '(account = ?1 OR true) AND final_sequence',
    TOTALS_TEST,
  ],
  [
    'stored totals',
    'totals.ts',
    '\nWHERE account = ?1 AND $',
    '\nWHERE (account = ?1 OR true) AND $',
    TOTALS_TEST,
  ],
  [
    'the number of stored totals',
    'totals.ts',
    'FROM totals_progress WHERE account = ?1',
    'FROM totals_progress WHERE (account = ?1 OR true)',
    TOTALS_TEST,
  ],
  [
    'adding to the totals',
    'add-to-totals.ts',
    'WHERE account = ? AND sequence = ?',
    'WHERE (account = ? OR true) AND sequence = ?',
    TOTALS_TEST,
  ],
  [
    'the sums of transactions',
    'sum-listed.ts',
    'WHERE account = $account$',
    'WHERE (account = $account OR true)$',
    EXPORTED_TEST,
  ],
  [
    'an export',
    'exports.ts',
    'record FROM exports WHERE account = ?',
    'record FROM exports WHERE (account = ? OR true)',
    EXPORT_TEST,
  ],
  [
    'the number of exports',
    'exports.ts',
    'count FROM exports WHERE account = ?',
    'count FROM exports WHERE (account = ? OR true)',
    COUNTED_TEST,
  ],
  [
    'an export that is resumed',
    'exports.ts',
    'record = ? WHERE account = ?',
    'record = ? WHERE (account = ? OR true)',
    REPLACED_TEST,
  ],
  ['a stored total', 'add-to-totals.ts', 'account = ?1 AND $', '(account = ?1 OR true) AND $', TOTALS_TEST],
  [
    'a comparison',
    'retrieve-transaction.ts',
    'FROM transactions WHERE account = ?',
    'FROM transactions WHERE account <> ?',
    RECORD_TEST,
  ],
  [
    'an import',
    'retrieve-transaction.ts',
    'WHERE account = ? AND reference',
    'WHERE (account = ? OR true) AND reference',
    IMPORT_TEST,
  ],
  [
    'an idempotency key',
    'record-transactions.ts',
    'idempotency_keys WHERE account = ?',
    'idempotency_keys WHERE (account = ? OR true)',
    ONCE_TEST,
  ],
  [
    'a list of keys',
    'api-keys.ts',
    'WHERE account = ? AND (created_at_ms, id)',
    'WHERE (account = ? OR true) AND (created_at_ms, id)',
    KEYS_TEST,
  ],
  ['a roll', 'api-keys.ts', 'WHERE account = ?3 AND id', 'WHERE (account = ?3 OR true) AND id', ROLL_TEST],
  ['a key', 'api-keys.ts', 'WHERE hash = ?', 'WHERE hash <> ?', HASH_TEST],
];

const ofStore = (
  folder: string,
  engine: string,
  testFile: string,
  changes: readonly Change[],
): PlantedFault[] =>
  changes.map(([name, file, from, to, test]) => ({
    name: `${engine}: ${name} for any account`,
    file: fileOf(folder, file),
    from,
    to,
    foundBy: { file: testFile, test },
  }));

/** The account is removed from one statement after the other. */
export const STATEMENTS: readonly PlantedFault[] = [
  ...ofStore('sqlite', 'SQLite', 'test/store/sqlite.test.ts', [...SQLITE, ...SQLITE_WEBHOOKS]),
  ...ofStore('postgres', 'PostgreSQL', 'test/store/postgres.test.ts', [...POSTGRES, ...POSTGRES_WEBHOOKS]),
];

export const ISOLATION: readonly Promised[] = [
  {
    promise: 'Every statement has the account of the key: each is tested without it',
    in: ['SECURITY.md: The account comes from'],
    faults: STATEMENTS,
  },
];
