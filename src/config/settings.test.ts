import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from './read-config.ts';
import { type Config, SETTINGS } from './settings.ts';

/* A section begins with a setting and its default. Then each line has a text, and `=` value or `!` fault. */
const FILE = new URL('./settings-cases.txt', import.meta.url);

type Key = keyof typeof SETTINGS;

const keys = Object.keys(SETTINGS) as Key[];
const API_KEY = 'tk_live_0000000000000000000000000000002C8GjS';
const SECRETS = ['first-'.padEnd(32, 'a'), 'second-'.padEnd(64, 'b')] as const;

const SIGN_IN = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'transactions',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_REDIRECT_URL: 'https://operator.example/staff/callback',
  OIDC_ROLES: 'groups:support=read',
  PUBLIC_URL: 'https://pay.example',
  OPERATOR_PORT: '3001',
};

function configOf(env: Record<string, string>): Config {
  const read = readConfig(env);
  assert.ok('config' in read, JSON.stringify(read));
  return read.config;
}

function faultsOf(env: Record<string, string>, file: Record<string, string> = {}): string[] {
  const read = readConfig(env, file);
  assert.ok('faults' in read, `${JSON.stringify(env)} was accepted`);
  return read.faults;
}

const settingOf = (key: Key, config: Config): unknown =>
  key in config.secrets ? config.secrets[key as keyof Config['secrets']] : config[key as keyof Config];

const jsonOf = (value: unknown) => JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value);

function neededFor(name: string): Record<string, string> {
  if (name === 'DATABASE_REPLICA_URLS') return { DATABASE_URL: 'postgres://db.example/transactions' };
  return name.startsWith('OIDC_') ? SIGN_IN : {};
}

const withNeeded = (name: string, text: string) => ({ ...neededFor(name), [name]: text });

function lineOf(key: Key, text: string): string {
  const { name } = SETTINGS[key];
  const read = readConfig(withNeeded(name, text));
  if ('faults' in read) {
    for (const fault of read.faults) assert.ok(fault.startsWith(`${name} `), fault);
    return `${JSON.stringify(text)} ! ${read.faults[0]?.slice(name.length + 1)}`;
  }
  const defaults = configOf(neededFor(name));
  for (const other of keys)
    if (other !== key) assert.deepEqual(settingOf(other, read.config), settingOf(other, defaults), other);
  return `${JSON.stringify(text)} = ${jsonOf(settingOf(key, read.config))}`;
}

const textsOf = (section: string): string[] =>
  [...section.matchAll(/^("(?:[^"\\]|\\.)*")/gm)].map(([, text = '']) => JSON.parse(text));

const table = readFileSync(FILE, 'utf8');
const sections = new Map(
  table
    .split(/^# /m)
    .slice(1)
    .map((section) => [section.split(/\s/)[0] as string, section]),
);

test('the table has the default of each setting, and the texts that it accepts and refuses (TEST_WRITE=1)', () => {
  const shown = keys.map((key) => {
    const { name } = SETTINGS[key];
    const lines = textsOf(sections.get(name) ?? '').map((text) => lineOf(key, text));
    for (const mark of [' = ', ' ! '])
      assert.ok(
        lines.some((line) => line.includes(`"${mark}`)),
        name,
      );
    return [`# ${name} = ${jsonOf(settingOf(key, configOf({})))}`, ...lines, ''].join('\n');
  });
  if (process.env['TEST_WRITE'] === '1') writeFileSync(FILE, shown.join('\n'));
  else assert.equal(table, shown.join('\n'));
});

test('a text that describes a default begins with the default', () => {
  for (const key of keys) {
    const {
      name,
      default: value,
      defaultText = String(value ?? 'none'),
    }: { name: string; default: unknown; defaultText?: string } = SETTINGS[key];
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const isRate = typeof value === 'object' && value !== null && 'perSecond' in value;
    const beginning = isPlain ? String(value) : isRate ? String(value.perSecond) : 'none';
    assert.ok(defaultText.startsWith(beginning), name);
  }
});

test('an empty text is refused and not replaced by the default', () => {
  const ofKey =
    'set it to the API key of the account, which "transactions keys create" creates, or remove it for commands that do not call the service';
  for (const key of keys) {
    const { name } = SETTINGS[key];
    const right = key === 'apiKey' ? ofKey : 'remove it to use the default';
    assert.deepEqual(faultsOf(withNeeded(name, '')), [`${name} is empty; ${right}.`]);
  }
});

test('no fault contains a secret or a password', () => {
  const secret = 'hunter2';
  const env = {
    CURSOR_SECRETS: `${secret},${secret}`,
    DATABASE_URL: `postgres://user:${secret}@host`,
    DATABASE_REPLICA_URLS: `postgres://user:${secret}@host`,
    TRANSACTIONS_API_KEY: secret,
    OIDC_CLIENT_SECRET: `${secret} `,
    WEBHOOK_PROXY: `http://user:${secret}@host/path`,
  };
  const faults = faultsOf(env, { CURSOR_SECRET: secret, TRANSACTIONS_KEY: secret });
  assert.ok(faults.length >= 9);
  assert.ok(!faults.join().includes(secret), faults.join('\n'));
  const [ofOtherDatabase = ''] = faultsOf({ DATABASE_URL: `mysql://user:${secret}@host/d` });
  assert.ok(!ofOtherDatabase.includes(secret));
});

test('secrets are apart from the settings that can be logged', () => {
  const webhookProxy = 'http://user:hunter2@proxy:3128';
  const { secrets, ...rest } = configOf({
    CURSOR_SECRETS: SECRETS.join(),
    TRANSACTIONS_API_KEY: API_KEY,
    ...{ ...SIGN_IN, OIDC_CLIENT_SECRET: 'hunter2' },
    WEBHOOK_PROXY: webhookProxy,
  });
  assert.deepEqual(secrets, {
    ...{ cursorSecrets: SECRETS, apiKey: API_KEY },
    ...{ oidcClientSecret: 'hunter2', webhookProxy },
  });
  for (const secret of [SECRETS[0], API_KEY, 'hunter2']) assert.ok(!JSON.stringify(rest).includes(secret));
});
