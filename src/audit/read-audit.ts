import type { Db } from '../db/db.ts';
import { type Row, statementsOf } from '../db/statement.ts';
import type { AuditEntry, AuditPosition, AuditReader } from './audit.ts';

const sql = statementsOf(new URL('./audit.sql', import.meta.url));
const LISTS = [sql('listKeyEntries', readEntry), sql('listAccountEntries', readEntry)];
const LISTS_OF_ACCOUNT = [
  sql('listKeyEntriesOfAccount', readEntry),
  sql('listAccountEntriesOfAccount', readEntry),
];
const BEFORE_ALL: AuditPosition = { atMs: Number.MIN_SAFE_INTEGER, id: '' };

function readEntry(row: Row): AuditEntry {
  return {
    account: row.text(),
    atMs: row.integer(),
    id: row.text(),
    action: row.text() as AuditEntry['action'],
    subject: row.textOrNull(),
    detail: JSON.parse(row.textOrNull() ?? 'null'),
    via: row.word() as AuditEntry['via'],
    actor: row.textOrNull(),
    address: row.textOrNull(),
  };
}

export const auditReader = (db: Db): AuditReader => ({
  listAudit: async (account, after, limit) => {
    const { atMs: afterMs, id: afterId } = after ?? BEFORE_ALL;
    const position = { afterMs, afterId, limit };
    const pages =
      account === null
        ? LISTS.map((list) => db.read(list, position))
        : LISTS_OF_ACCOUNT.map((list) => db.read(list, { account, ...position }));
    return (await Promise.all(pages))
      .flat()
      .sort((left, right) => left.atMs - right.atMs || (left.id < right.id ? -1 : 1))
      .slice(0, limit);
  },
});
