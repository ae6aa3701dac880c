import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDINARY_VARIABLES } from '../../test/rig/ordinary-variables.ts';
import { readConfig } from './read-config.ts';

test('a misspelt setting is refused with the name that was probably meant', () => {
  const misspelt: [name: string, meant: string][] = [
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['CURSOR_SECRET', 'CURSOR_SECRETS'],
    ['CURSOR_LIFE_TIME', 'CURSOR_LIFETIME'],
    ['STATUSSES', 'STATUSES'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['RATE_LIMITS', 'RATE_LIMIT'],
  ];
  for (const [name, meant] of misspelt)
    assert.deepEqual(readConfig({ [name]: 'x' }), {
      faults: [`${name} is not a setting; did you mean ${meant}?`],
    });
});

test('a name close to a short setting is a warning in the environment, and a fault in the .env file', () => {
  for (const [name, meant] of [
    ['PROT', 'PORT'],
    ['POTR', 'PORT'],
    ['PORTT', 'PORT'],
    ['PRT', 'PORT'],
    ['port', 'PORT'],
    ['HSOT', 'HOST'],
    ['HOSTT', 'HOST'],
    ['Host', 'HOST'],
    ['database_url', 'DATABASE_URL'],
  ] as const) {
    const read = readConfig({ [name]: 'secret' });
    assert.ok('warnings' in read);
    assert.deepEqual(read.warnings, [`${name} is not a setting and has no effect; did you mean ${meant}?`]);
    const inFile = readConfig({}, { [name]: 'secret' });
    assert.ok('faults' in inFile);
    assert.deepEqual(inFile.faults, [`${name} is not a setting; did you mean ${meant}?`]);
  }
});

test('the variables of other programs are not taken for misspelt settings', () => {
  for (const name of ORDINARY_VARIABLES) {
    const read = readConfig({ [name]: 'x' });
    assert.ok('warnings' in read, name);
    assert.deepEqual(read.warnings, [], name);
  }
  const ownEnvironment = readConfig(Object.fromEntries(ORDINARY_VARIABLES.map((name) => [name, 'x'])));
  assert.ok('config' in ownEnvironment);
});

test('an unknown name with a prefix of this service is refused, and every other name is ignored', () => {
  for (const name of ['CURSOR_COLOUR', 'STATUSES_FILE', 'TRANSACTIONS_PORT'])
    assert.match(
      JSON.stringify(readConfig({ [name]: 'x' })),
      new RegExp(`${name} is not a setting; the settings are HOST, PORT, `),
    );
  const foreign = [
    'PATH',
    'HOME',
    'POST',
    'COST',
    'SORT',
    'LANG',
    'PGHOST',
    'NODE_ENV',
    'port',
    'LS_COLORS',
    '_',
  ];
  const read = readConfig(Object.fromEntries(foreign.map((name) => [name, 'x'])));
  const alone = readConfig({});
  assert.ok('config' in read && 'config' in alone);
  assert.deepEqual(read.config, alone.config);
});
