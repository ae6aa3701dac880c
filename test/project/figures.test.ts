import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** Limits of the source, and the documents of different readers that name them. */
const LIMITS: readonly [file: string, name: string, documents: readonly string[]][] = [
  [
    'src/http/server/connection-limits.ts',
    'MAX_CONNECTIONS',
    ['docs/sizing.md', 'docs/reliability.md', 'SECURITY.md'],
  ],
  ['src/ledger/changes/change-watcher.ts', 'MAX_WAITING', ['docs/sizing.md', 'docs/change-feed.md']],
  [
    'src/ledger/changes/change-watcher.ts',
    'MAX_WAITING_OF_ACCOUNT',
    ['docs/sizing.md', 'docs/change-feed.md'],
  ],
  [
    'src/ledger/totals/totals-of-zone.ts',
    'MAX_ZONE_TRANSACTIONS',
    ['docs/using-the-api.md', 'docs/looking-at-transactions.md', 'decisions/list.md'],
  ],
  [
    'src/ledger/totals/totals-of-zone.ts',
    'MAX_ZONE_DAYS',
    ['docs/using-the-api.md', 'docs/looking-at-transactions.md', 'decisions/list.md'],
  ],
  [
    'src/ledger/search/search-transactions.ts',
    'MAX_COMPARED_BY_SEARCH',
    ['docs/using-the-api.md', 'decisions/list.md'],
  ],
  ['src/ledger/totals/totals-by-payment.ts', 'MAX_COMPARED_BY_PAYMENT', ['docs/using-the-api.md']],
  [
    'src/ledger/totals/totals-of-reference.ts',
    'MAX_REFERENCE_TRANSACTIONS',
    ['docs/using-the-api.md', 'decisions/totals-exports-webhooks.md'],
  ],
  [
    'src/ledger/record/acknowledged-recordings.ts',
    'MAX_ACKNOWLEDGED',
    ['docs/troubleshooting.md', 'decisions/recording.md'],
  ],
  ['src/db/postgres/driver/keyed-connections.ts', 'MAX_WAITING', ['decisions/postgresql.md']],
];

test('a limit is the same in the source and in the documents of each reader', () => {
  for (const [file, name, documents] of LIMITS) {
    const [, written = ''] = new RegExp(`const ${name} = ([\\d_]+);`).exec(read(file)) ?? [];
    assert.notEqual(written, '', `${file} has no ${name}`);
    const value = Number(written.replaceAll('_', '')).toLocaleString('en-US');
    for (const path of documents)
      assert.match(read(path), new RegExp(`\\b${value}\\b`), `${path} does not name ${name}, ${value}`);
  }
});
