import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DatabaseFacts, plainTextHosts } from '../db/postgres/database-facts.ts';
import { warnOfDatabase } from './warn-of-database.ts';

const SAFE: DatabaseFacts = {
  isEncrypted: true,
  isLocal: false,
  isPlainTextMeant: false,
  plainTextReplicas: [],
  missingTimeouts: [],
  canSeal: true,
  durability: { isFsyncOn: true, hasStandbys: true, synchronousStandbyNames: 'db2', commitLevel: 'on' },
};
const DURABILITY = SAFE.durability as NonNullable<DatabaseFacts['durability']>;
const RECORDS = { asynchronousStandbys: 'warn', operatorPort: 3001 } as const;

function warnings(facts: Partial<DatabaseFacts>, config: Partial<Parameters<typeof warnOfDatabase>[1]> = {}) {
  const lines: string[] = [];
  const warn = (...values: unknown[]) => lines.push(String(values.at(-1)).split(':')[0] as string);
  warnOfDatabase({ ...SAFE, ...facts }, { ...RECORDS, ...config }, { warn } as never);
  return lines;
}
const ofDurability = (durability: Partial<typeof DURABILITY>) =>
  warnings({ durability: { ...DURABILITY, ...durability } });

const ASYNCHRONOUS = ['commits do not wait for a standby'];

test('plain text to another machine has a warning, unless the address asks for it', () => {
  const plain = ['the connection to the database is not encrypted'];
  assert.deepEqual(warnings({ isEncrypted: false }), plain);
  assert.deepEqual(warnings({ isEncrypted: false }, { operatorPort: null }), plain);
  assert.deepEqual(warnings({ isEncrypted: false, isPlainTextMeant: true }), []);
  assert.deepEqual(warnings({ isEncrypted: false, isLocal: true }), []);
});

test('plain text to a replica on another machine has a warning, unless the address asks for it', () => {
  const replica = (host: string, end = '') => `postgres://reader@${host}/transactions${end}`;
  const urls = [replica('db2:5433,db3'), replica('[fd00::2]'), 'postgres:///transactions?host=db5'];
  const plainTextReplicas = plainTextHosts([
    ...urls,
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => replica(host)),
    ...['disable', 'verify-full'].map((mode) => replica('db4', `?sslmode=${mode}`)),
    'postgres:///transactions?host=/run/postgresql',
  ]);
  assert.deepEqual(plainTextReplicas, ['db2', 'db3', 'fd00::2', 'db5']);
  assert.deepEqual(warnings({ plainTextReplicas }), ['the connection to a replica is not encrypted']);
});

test('standbys that commits do not wait for have a warning, unless the operator knows', () => {
  assert.deepEqual(ofDurability({ synchronousStandbyNames: '' }), ASYNCHRONOUS);
  assert.deepEqual(ofDurability({ commitLevel: 'local' }), ASYNCHRONOUS);
  assert.deepEqual(ofDurability({ commitLevel: 'remote_write' }), []);
  assert.deepEqual(ofDurability({ synchronousStandbyNames: '', hasStandbys: false }), []);
  const durability = { ...DURABILITY, synchronousStandbyNames: '' };
  assert.deepEqual(warnings({ durability }, { asynchronousStandbys: 'accepted' }), []);
  assert.deepEqual(warnings({ durability }, { operatorPort: null }), []);
});

test('a server that acknowledges writes before they are on disk has a warning, and so has one whose state cannot be read', () => {
  assert.deepEqual(ofDurability({ isFsyncOn: false }), ['fsync of the database server is off']);
  assert.deepEqual(warnings({ durability: null }), ['could not read whether commits wait for a standby']);
});

test('timeouts that a pooler drops have a warning, even in a process that does not record', () => {
  const dropped = ['a pooler drops session settings, and these timeouts are off for the role'];
  assert.deepEqual(warnings({ missingTimeouts: ['lock_timeout'] }), dropped);
  assert.deepEqual(warnings({ missingTimeouts: ['lock_timeout'] }, { operatorPort: null }), dropped);
});
