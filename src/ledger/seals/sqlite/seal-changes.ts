import type { DatabaseSync } from 'node:sqlite';
import { changeLister } from '../../changes/sqlite/list-changes.ts';
import { type SealHead, type Sealing, sealChanges } from '../seal.ts';

export function changeSealer(db: DatabaseSync): (account: string, from: SealHead, limit: number) => Sealing {
  const list = changeLister(db);
  return (account, from, limit) => sealChanges(account, from, list({ account, after: from.sequence, limit }));
}
