import { randomBytes } from 'node:crypto';
import { type AuditEntry, type AuditStamp, auditEntry, stampOf } from '../../../src/audit/audit.ts';

export const someStamp = (atMs = 1000): AuditStamp =>
  stampOf({ via: 'command', actor: 'tester', address: null }, atMs, randomBytes);

export const someEntry = (account = 'store-1'): AuditEntry =>
  auditEntry(someStamp(), 'key.created', account, 'key_0000000000000001');
