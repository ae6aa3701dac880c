import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDINARY_VARIABLES } from '../../test/rig/service/ordinary-variables.ts';
import { readConfig } from './read-config.ts';

test('a misspelt setting is a warning in the environment and a fault in .env, with the name that was probably meant', () => {
  for (const [name, meant] of [
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['CURSOR_SECRET', 'CURSOR_SECRETS'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
    ['PROT', 'PORT'],
    ['PRT', 'PORT'],
    ['port', 'PORT'],
  ] as const) {
    const read = readConfig({ [name]: 'secret' });
    assert.ok('warnings' in read);
    assert.deepEqual(read.warnings, [`${name} is not a setting and has no effect; did you mean ${meant}?`]);
    assert.deepEqual(readConfig({}, { [name]: 'secret' }), {
      faults: [`${name} in .env is not a setting; did you mean ${meant}?`],
    });
  }
});

test('the variables of other programs are not taken for misspelt settings', () => {
  for (const name of [...ORDINARY_VARIABLES, 'constructor']) {
    const read = readConfig({ [name]: 'x' });
    assert.ok('warnings' in read, name);
    assert.deepEqual(read.warnings, [], name);
  }
  const all = readConfig(Object.fromEntries(ORDINARY_VARIABLES.map((name) => [name, 'x'])));
  assert.deepEqual(all, readConfig({}));
});

test('a name in .env that is not a setting is refused, even if the environment has the same name', () => {
  for (const name of ['CURSOR_COLOUR', 'TRANSACTIONS_PORT', 'POSTGRES_PASSWORD', 'NODE_OPTIONS'])
    for (const environment of [{}, { [name]: 'y' }]) {
      const read = readConfig(environment, { [name]: 'x', PORT: 'x' });
      assert.ok('faults' in read, name);
      assert.equal(read.faults.length, 2);
      assert.match(
        read.faults[0] ?? '',
        new RegExp(`^${name} in \\.env is not a setting; the settings are ENV_FILE, HOST, PORT, .*\\.$`),
      );
    }
});

test("the settings of this service's client are accepted in .env", () => {
  const file = { TRANSACTIONS_OPERATOR_URL: 'http://127.0.0.1:3001', TRANSACTIONS_OPERATOR_KEY: 'x' };
  assert.deepEqual(readConfig({}, file), readConfig({}));
});

test('incomplete settings of the sign-in, and replicas of a file, are faults beside others', () => {
  const replica = 'postgres://db.example/transactions';
  const faulty = { OIDC_ISSUER: 'x', OIDC_ROLES: 'groups:support=read', OPERATOR_PORT: '3001', PORT: 'x' };
  const read = readConfig({ ...faulty, DATABASE_REPLICA_URLS: replica });
  assert.ok('faults' in read);
  assert.deepEqual(read.faults.map((fault) => fault.split(' ', 1)[0]).toSorted(), [
    'DATABASE_REPLICA_URLS',
    'OIDC_ISSUER',
    'OIDC_ISSUER,',
    'PORT',
  ]);
  assert.deepEqual(read.faults.slice(-2), [
    'OIDC_ISSUER, OIDC_ROLES are set without OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL, PUBLIC_URL. Set all of them so that staff can sign in, or none.',
    'DATABASE_REPLICA_URLS is set, but SQLite has no replicas; remove it.',
  ]);
});

test('listeners need different ports, unless their addresses differ or the system chooses the ports', () => {
  assert.deepEqual(readConfig({ OPERATOR_PORT: '3000', METRICS_PORT: '3000' }), {
    faults: [
      'PORT and OPERATOR_PORT are both 3000; set one of them to another port.',
      'PORT and METRICS_PORT are both 3000; set one of them to another port.',
      'OPERATOR_PORT and METRICS_PORT are both 3000; set one of them to another port.',
    ],
  });
  const samePort = (HOST: string, OPERATOR_HOST: string) => ({ OPERATOR_PORT: '3000', HOST, OPERATOR_HOST });
  for (const every of [
    samePort('0.0.0.0', '127.0.0.1'),
    samePort('127.0.0.1', '0.0.0.0'),
    samePort('::', '127.0.0.1'),
    samePort('0.0.0.0', '::'),
  ])
    assert.ok('faults' in readConfig(every), JSON.stringify(every));
  for (const allowed of [
    { PORT: '0', OPERATOR_PORT: '0' },
    samePort('127.0.0.1', '127.0.0.2'),
    samePort('0.0.0.0', '::1'),
  ])
    assert.ok('config' in readConfig(allowed));
});
