import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { NO_EXPORT_FILTER } from '../../src/ledger/exports/export.ts';
import { csvHeader } from '../../src/ledger/exports/export-lines.ts';
import { parseTransaction } from '../../src/ledger/parse-transaction.ts';
import {
  type AccountTransaction,
  COLUMNS as COLUMN_OF,
  TRANSACTION_COLUMNS,
} from '../../src/ledger/transaction.ts';
import {
  FIELD_LIST,
  type FIELDS,
  formatTransaction,
  OPTIONAL_FIELDS,
  SHOWN_FIELDS,
} from '../../src/ledger/transaction-fields.ts';
import { STORED_FIELDS } from '../../src/operate/stored-rows.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';

/** This does not compile if a property of a transaction has no field. */
const PROPERTIES: Record<keyof AccountTransaction, unknown> = {} as Record<
  (typeof FIELDS)[keyof typeof FIELDS]['property'],
  unknown
>;

const schemas = (document: string) =>
  JSON.parse(readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')).components.schemas;

test('every field is in OpenAPI and in the columns of a CSV file', () => {
  assert.deepEqual(PROPERTIES, {});
  for (const document of ['openapi.json', 'openapi-operator.json'])
    assert.deepEqual(
      Object.keys(schemas(document).Transaction.properties),
      [...SHOWN_FIELDS, ...OPTIONAL_FIELDS],
      document,
    );
  const requested = Object.keys(schemas('openapi-operator.json').TransactionRequest.properties);
  // Only files have `detailsRemovedAt`.
  const recorded = OPTIONAL_FIELDS.filter((name) => name !== 'detailsRemovedAt');
  assert.deepEqual(['reference', ...requested], [...SHOWN_FIELDS, ...recorded]);
  assert.equal(csvHeader(NO_EXPORT_FILTER), `${SHOWN_FIELDS.join(',')}\r\n`);
});

test('every field has a column of its type and presence, which verify and copy read', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const columns = db.prepare('SELECT name, type, "notnull" FROM pragma_table_info(\'transactions\')').all();
  db.close();
  // All have the same order, because rows are read by position.
  assert.deepEqual(
    Object.keys(COLUMN_OF),
    FIELD_LIST.map(({ property }) => property),
  );
  assert.equal(`account, ${TRANSACTION_COLUMNS}`, Object.values(COLUMN_OF).join(', '));
  for (const { property, absent } of FIELD_LIST) {
    const column = columns.find(({ name }) => name === COLUMN_OF[property]);
    assert.equal(column?.['type'], /(Minor|Ms)$/.test(property) ? 'INTEGER' : 'TEXT', property);
    assert.equal(column?.['notnull'], absent === 'null' ? 0 : 1, property);
    assert.equal(
      STORED_FIELDS.some((field) => field === property),
      property !== 'account',
    );
  }
});

test('the example of each field is what a response shows', () => {
  const written = FIELD_LIST.filter(({ name }) => name !== 'detailsRemovedAt' && name !== 'finalDetails');
  const parsed = parseTransaction(Object.fromEntries(written.map(({ name, example }) => [name, example])), {
    statuses: BUILT_IN_STATUSES,
    assignReference: () => '',
  });
  assert.ok('transaction' in parsed);
  const { transaction } = parsed;
  const shown = new Map<string, unknown>(Object.entries(formatTransaction(transaction)));
  for (const { name, example } of FIELD_LIST)
    if (name !== 'account' && name !== 'detailsRemovedAt') assert.deepEqual(shown.get(name), example, name);
});
