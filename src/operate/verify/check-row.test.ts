import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_OPTIONAL_FIELDS } from '../../ledger/transaction.ts';
import { STORED_FIELDS } from '../stored-rows.ts';
import { AUDIT } from './check-audit.ts';
import { checkRow } from './check-row.ts';
import type { StoredRecord, StoredRow } from './verify-reader.ts';

const ROW: StoredRow = {
  reference: 'pay-1',
  createdAtMs: 0,
  merchantReference: null,
  status: 'completed',
  amountMinor: 1250,
  currencyCode: 'EUR',
  paidAtMs: 1000,
  ...NO_OPTIONAL_FIELDS,
  pendingSequence: 1,
  pendingRecordedAtMs: 500,
  pendingNonce: 7,
  finalSequence: 2,
  finalRecordedAtMs: 1500,
  finalNonce: 9,
};

test('a row that the service records has no fault', () => assert.deepEqual(checkRow(ROW), []));

for (const field of STORED_FIELDS)
  test(`a damaged ${field} is a fault`, () => {
    const damaged = typeof ROW[field] === 'number' ? 0.5 : '';
    const [fault] = checkRow({ ...ROW, [field]: damaged } as StoredRow);
    assert.equal(fault?.found.startsWith(`${field} `), true, JSON.stringify(fault));
  });

for (const [detail, faults] of [
  ['{}', 0],
  [null, 0],
  ['[]', 1],
  ['null', 1],
  ['{', 1],
] as const)
  test(`the detail ${detail} of an audit entry has ${faults} faults`, () => {
    const record = { action: 'account.erased', subject: null, detail };
    assert.equal(AUDIT.together?.(record as unknown as StoredRecord).length, faults);
  });
