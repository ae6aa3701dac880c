import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from '../../src/config/read-config.ts';
import { compose, imageEnv } from '../rig/service/docker-image.ts';

const { transactions } = compose.services;

test('compose.yaml sets only settings that the service has', () => {
  const read = readConfig({}, { ...imageEnv, ...transactions.environment });
  assert.deepEqual('faults' in read ? read.faults : [], []);
  const [secret] = transactions.secrets;
  const command = readFileSync(new URL('../../release/packaging/transactions', import.meta.url), 'utf8');
  assert.match(command, new RegExp(`^settings=${secret.target}$`, 'm'));
  assert.equal(imageEnv['ENV_FILE'], secret.target);
});

test('compose.yaml serves the database of its settings file, and no variable replaces the address', () => {
  const databaseUrl = 'postgres://transactions:secret@database:5432/transactions?sslmode=disable';
  const read = readConfig({ ...imageEnv, ...transactions.environment }, { DATABASE_URL: databaseUrl });
  assert.equal('config' in read && read.config.databaseUrl, databaseUrl);
});
