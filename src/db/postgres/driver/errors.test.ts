import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { explainError, isDuplicate } from './errors.ts';

const reported = (message: string, fields: Partial<pg.DatabaseError>) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { severity: 'ERROR' }, fields);

const hasReason = (error: unknown, reason: string) => {
  const explained = explainError(error);
  return explained instanceof StoreUnavailable && explained.reason === reason;
};
const isErased = (error: unknown) => hasReason(error, 'account_erased');

test('a constraint is recognised by the field of an error, and on Citus by the message of a worker, which has no fields', () => {
  const closed = (constraint: string) =>
    `new row for relation "accounts_102008" violates check constraint "${constraint}"`;
  assert.ok(isErased(reported('any text', { code: '23514', constraint: 'account_is_open' })));
  assert.ok(isErased(reported('any text', { code: '23514', constraint: 'account_is_open_102008' })));
  assert.ok(isErased(reported(closed('account_is_open_102008'), { code: '23514' })));
  assert.ok(isErased(reported('« account_is_open_102008 »', { code: '23514' })));
  const duplicate = 'duplicate key value violates unique constraint "transactions_pkey_102040"';
  assert.ok(isDuplicate(reported(duplicate, { code: '23505' }), 'transactions_pkey'));
});

test('a write to a moved database is recognised, even if Citus copied the row to a worker and the error has no code', () => {
  const moved =
    'new row for relation "account_audit_102058" violates check constraint "database_was_moved_102058"';
  for (const code of ['23514', 'XX000']) assert.ok(hasReason(reported(moved, { code }), 'moved'));
  assert.ok(!hasReason(reported('could not find a shard', { code: 'XX000' }), 'moved'));
});

test('a different constraint, or a different error that names the constraint, is a mistake of the service', () => {
  for (const constraint of ['account_is_opened', 'my_account_is_open', 'account_is_open_since'])
    assert.ok(!isErased(reported(`"${constraint}"`, { code: '23514' })), constraint);
  assert.ok(!isErased(reported('"account_is_open"', { code: '23514', constraint: 'amount_is_positive' })));
  assert.ok(!isErased(reported('"account_is_open"', { code: '23502' })));
  assert.ok(!isDuplicate(reported('"transactions_pkey"', { code: '23514' }), 'transactions_pkey'));
  assert.ok(!isErased(new Error('"account_is_open"')));
});

test('a late response is a timeout, and a lost connection is not', () => {
  assert.ok(hasReason(new Error('Query read timeout'), 'database_timeout'));
  assert.ok(hasReason(new Error('Connection terminated unexpectedly'), 'database_connection'));
});
