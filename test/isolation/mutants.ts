import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { POSTGRES } from './postgres-mutants.ts';
import { POSTGRES_WEBHOOKS } from './postgres-webhook-mutants.ts';
import { SQLITE_WEBHOOKS } from './sqlite-webhook-mutants.ts';
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
} from './test-names.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces a text that occurs once in a file. */
export interface SourceMutation {
  file: string;
  from: string;
  to: string;
}

export interface Mutant extends SourceMutation {
  name: string;
  /** The test that must fail, and its file. */
  caughtBy: { file: string; test: string };
}

/** The file with the SQL of a capability, by its name, which is unique among those for the same database. */
function fileOf(database: string, name: string): string {
  const [file, ...more] = globSync(`src/**/${database}/${name}`, { cwd: ROOT });
  if (file === undefined || more.length > 0) throw new Error(`${name} is not one file for ${database}`);
  return file;
}

/** What a mutant changes in a file of a store, and the test of its contract that fails. */
export type Change = [name: string, file: string, from: string, to: string, test: string];

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
  ['a roll-up', 'totals.ts', 'account = ?1 AND $', '(account = ?1 OR true) AND $', TOTALS_TEST],
  [
    'the number of a roll-up',
    'totals.ts',
    'FROM folded WHERE account = ?1',
    'FROM folded WHERE (account = ?1 OR true)',
    TOTALS_TEST,
  ],
  [
    'folding',
    'fold-totals.ts',
    'WHERE account = ? AND sequence = ?',
    'WHERE (account = ? OR true) AND sequence = ?',
    TOTALS_TEST,
  ],
  [
    'the sums of a merchantReference',
    'exports.ts',
    'WHERE account = ?1 AND merchant_reference',
    'WHERE (account = ?1 OR true) AND merchant_reference',
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
  ['a folded total', 'fold-totals.ts', 'account = ?1 AND $', '(account = ?1 OR true) AND $', TOTALS_TEST],
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
    'WHERE account = ? ORDER',
    'WHERE (account = ? OR true) ORDER',
    KEYS_TEST,
  ],
  ['a roll', 'api-keys.ts', 'WHERE account = ?3 AND id', 'WHERE (account = ?3 OR true) AND id', ROLL_TEST],
  ['a key', 'api-keys.ts', 'WHERE hash = ?', 'WHERE hash <> ?', HASH_TEST],
];

const ofStore = (folder: string, engine: string, testFile: string, changes: Change[]): Mutant[] =>
  changes.map(([name, file, from, to, test]) => ({
    name: `${engine}: ${name} for any account`,
    file: fileOf(folder, file),
    from,
    to,
    caughtBy: { file: testFile, test },
  }));

export const MUTANTS: Mutant[] = [
  ...ofStore('sqlite', 'SQLite', 'test/store/sqlite.test.ts', [...SQLITE, ...SQLITE_WEBHOOKS]),
  ...ofStore('postgres', 'PostgreSQL', 'test/store/postgres.test.ts', [...POSTGRES, ...POSTGRES_WEBHOOKS]),
  {
    name: 'a cursor that opens for any account',
    file: 'src/ledger/list/sealed-text.ts',
    from: 'return HEADER_BYTES + write(account, BOUND + HEADER_BYTES);',
    to: 'return HEADER_BYTES;',
    caughtBy: {
      file: 'test/http/400-cursor.test.ts',
      test: '400 cursor_malformed: a cursor of another account, without a hint that it is real',
    },
  },
  {
    name: 'a key that opens the account of another cached key',
    file: 'src/keys/key-cache.ts',
    from: 'const entry = this.#entries.get(hash);',
    to: 'const [entry] = this.#entries.values();',
    caughtBy: {
      file: 'src/keys/key-cache.test.ts',
      test: 'a cached key is found only by its own hash',
    },
  },
];
