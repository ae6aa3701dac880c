import { AUDIT_ACTIONS, AUDIT_VIAS, isAuditId, MAX_ACTOR_CHARACTERS } from '../../audit/audit.ts';
import { orNull, STORED_TIME, storedAs, storedText } from '../../ledger/transaction-fields.ts';
import type { RowFault } from './check-row.ts';
import { accountOrOperator, type TableRules, textOf } from './record-rules.ts';
import type { StoredRecord } from './verify-reader.ts';

const oneOf = (values: readonly string[], expected: string) =>
  storedAs((text) => values.includes(text), expected);

export const AUDIT: TableRules = {
  check: 'audit',
  count: 'auditEntries',
  rules: [
    ['account', accountOrOperator('the name of an account')],
    ['at_ms', STORED_TIME],
    ['id', storedAs(isAuditId, 'au_ and 16 letters and digits')],
    ['action', oneOf(AUDIT_ACTIONS, 'the name of a change')],
    ['via', oneOf(AUDIT_VIAS, AUDIT_VIAS.join(', '))],
    ['actor', orNull(storedText(MAX_ACTOR_CHARACTERS))],
  ],
  place: ({ id }) => `audit entry ${textOf(id)}`,
  account: ({ account }) => textOf(account),
  together: (record) => [...checkSubject(record), ...checkDetail(record)],
};

function checkSubject({ action, subject }: StoredRecord): RowFault[] {
  const isOfAccount = textOf(action).startsWith('account.');
  // All sessions of a person end with one entry.
  const isOfPerson = action === 'session.ended' && subject === null;
  if (isOfAccount === (subject === null) || isOfPerson) return [];
  return [
    {
      found: `subject ${subject}`,
      expected: isOfAccount
        ? 'null for a change of an account'
        : 'the id of a key, a session or an endpoint, or the reference of a transaction',
    },
  ];
}

function checkDetail({ detail }: StoredRecord): RowFault[] {
  try {
    if (detail === null) return [];
    const parsed: unknown = JSON.parse(textOf(detail));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return [];
  } catch {}
  return [{ found: 'a detail that is no JSON object', expected: 'a JSON object, or null' }];
}
