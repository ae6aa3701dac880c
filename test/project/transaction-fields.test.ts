import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_LIST, formatTransaction, parseTransaction } from '../../src/ledger/transaction-fields.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';

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
