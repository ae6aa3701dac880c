import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/config/read-config.ts';
import { compose, IMAGE_USER, imageEnv, lastStage } from '../rig/service/docker-image.ts';

test('the Dockerfile sets an unprivileged user by its number', () => {
  const user = lastStage().findLast(({ name }) => name === 'USER')?.text;
  assert.equal(user, `${IMAGE_USER}:${IMAGE_USER}`);
});

test('the user of the image owns the volume, which gets the owner of its folder', () => {
  const volume = lastStage().find(({ name }) => name === 'VOLUME')?.text;
  const owned = `--chown=${IMAGE_USER}:${IMAGE_USER} release/built/state/ ${volume}/`;
  assert.ok(lastStage().some(({ name, text }) => name === 'COPY' && text === owned));
});

test('the image has the files of the Debian package, and nothing else reaches its build', () => {
  const copied = lastStage().filter(({ name }) => name === 'COPY');
  assert.deepEqual(
    copied.map(({ text }) => text),
    [
      'release/built/root/ /',
      '--chown=0:1000 release/built/root/etc/transactions/ /etc/transactions/',
      '--chown=1000:1000 release/built/state/ /var/lib/transactions/',
    ],
  );
  const lines = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8').split('\n');
  assert.deepEqual(lines.filter((line) => !line.startsWith('#')).sort(), [
    '',
    '!release/built/root',
    '!release/built/state',
    '*',
  ]);
});

describe('compose.yaml', () => {
  const { services, secrets, volumes } = compose;
  const { database, transactions } = services;

  test('runs the service read-only and unprivileged, on the loopback address', () => {
    assert.equal(transactions.read_only, true);
    assert.deepEqual(transactions.cap_drop, ['ALL']);
    assert.deepEqual(transactions.security_opt, ['no-new-privileges:true']);
    assert.equal(transactions.privileged, undefined);
    for (const port of transactions.ports) assert.match(port, /^127\.0\.0\.1:/);
    assert.equal(database.ports, undefined);
  });

  test('keeps the data in a volume, and secrets out of the environment', () => {
    assert.deepEqual(database.volumes, ['database:/var/lib/postgresql']);
    assert.ok('database' in volumes);
    const used = [database.secrets, transactions.secrets].flat().map((secret) => secret.source ?? secret);
    assert.deepEqual(used.sort(), Object.keys(secrets).sort());
    const environment = JSON.stringify([database.environment, transactions.environment]);
    assert.doesNotMatch(environment, /postgres:\/\/|CURSOR_SECRETS|"POSTGRES_PASSWORD"/);
  });

  test('sets only settings that the service has', () => {
    const read = readConfig({}, { ...imageEnv, ...transactions.environment });
    assert.deepEqual('faults' in read ? read.faults : [], []);
    const [secret] = transactions.secrets;
    const command = readFileSync(new URL('../../release/packaging/transactions', import.meta.url), 'utf8');
    assert.match(command, new RegExp(`^settings=${secret.target}$`, 'm'));
    assert.equal(imageEnv['ENV_FILE'], secret.target);
  });

  test('serves the database of its settings file, and no variable replaces the address', () => {
    const databaseUrl = 'postgres://transactions:secret@database:5432/transactions?sslmode=disable';
    const read = readConfig({ ...imageEnv, ...transactions.environment }, { DATABASE_URL: databaseUrl });
    assert.equal('config' in read && read.config.databaseUrl, databaseUrl);
  });
});
