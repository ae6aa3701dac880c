import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_ACTIONS, auditEntry, formatAudit, stampOf } from '../../audit/audit.ts';
import { readAuditLine } from './read-audit.ts';

const SUBJECTS: Readonly<Record<string, readonly (string | null)[]>> = {
  key: ['key_0123456789abcdef'],
  session: ['ses_0123456789abcdef', null],
  endpoint: ['we_0123456789abcdef'],
  account: [null],
  details: ['t-1', 'key_0123456789abcdef'],
};

test('an entry of every action is read from its line, and with no other subject', () => {
  const stamp = stampOf({ via: 'api', actor: null, address: null }, 0, (size) => new Uint8Array(size));
  for (const action of AUDIT_ACTIONS) {
    const own = SUBJECTS[action.split('.')[0] as string] ?? [];
    for (const subject of new Set([...own, ...Object.values(SUBJECTS).flat(), 'a b'])) {
      const entry = auditEntry(stamp, action, 'store-1', subject);
      const isRead =
        own.includes(subject) || (action === 'details.removed' && /^(ses|we)_/.test(subject ?? ''));
      const expected = isRead ? { ...entry, logged: undefined } : undefined;
      assert.deepEqual(readAuditLine(JSON.stringify(formatAudit(entry))), expected, `${action} ${subject}`);
    }
  }
});
