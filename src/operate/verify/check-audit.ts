import { AUDIT_ACTIONS, AUDIT_VIAS, isAuditId, MAX_ACTOR_CHARACTERS } from '../../audit/audit.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { isStoredIdentifier, isStoredTime, type RowFault } from './check-row.ts';
import { isText, orNull, type TableRules, TIME_TEXT, textOf, type Value } from './record-rules.ts';
import type { StoredRecord } from './verify-reader.ts';

const isOneOf = (values: readonly string[]) => (value: Value) =>
  typeof value === 'string' && values.includes(value);

export const AUDIT: TableRules = {
  check: 'audit',
  count: 'auditEntries',
  rules: [
    [
      'account',
      (value) => value === OPERATOR_ACCOUNT || isStoredIdentifier(value),
      `the name of an account, or ${OPERATOR_ACCOUNT}`,
    ],
    ['at_ms', isStoredTime, TIME_TEXT],
    ['id', (value) => isAuditId(textOf(value)), 'au_ and 16 letters and digits'],
    ['action', isOneOf(AUDIT_ACTIONS), 'the name of a change'],
    ['via', isOneOf(AUDIT_VIAS), AUDIT_VIAS.join(', ')],
    ['actor', orNull(isText(1, MAX_ACTOR_CHARACTERS)), `1 to ${MAX_ACTOR_CHARACTERS} characters, or null`],
  ],
  place: ({ id }) => `audit entry ${textOf(id)}`,
  account: ({ account }) => textOf(account),
  together: (record) => [...checkSubject(record), ...checkDetail(record)],
};

function checkSubject({ action, subject }: StoredRecord): RowFault[] {
  const isOfAccount = textOf(action).startsWith('account.');
  if (isOfAccount === (subject === null)) return [];
  return [
    {
      found: `subject ${subject}`,
      expected: isOfAccount ? 'null for a change of an account' : 'the id of a key or a webhook',
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
