import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { COLUMNS as COLUMN_OF, TRANSACTION_COLUMNS } from '../../src/ledger/transaction.ts';
import { FIELD_LIST, formatTransaction, parseTransaction } from '../../src/ledger/transaction-fields.ts';
import { STORED_FIELDS } from '../../src/operate/stored-rows.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';

test('every field has a column with the same type and optionality, which verify and copy read', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const columns = db.prepare('SELECT name, type, "notnull" FROM pragma_table_info(\'transactions\')').all();
  db.close();
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

test('the example of each field is a value as a response shows it', () => {
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
