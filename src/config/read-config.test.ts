import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './read-config.ts';
import { type Config, SETTINGS } from './settings.ts';

type Environment = Record<string, string | undefined>;

function configOf(env: Environment): Config {
  const read = readConfig(env);
  assert.ok('config' in read, JSON.stringify(read));
  return read.config;
}

function faultsOf(env: Environment): string[] {
  const read = readConfig(env);
  assert.ok('faults' in read, `${JSON.stringify(env)} was taken`);
  return read.faults;
}

const SECRETS = ['first-'.padEnd(32, 'a'), 'second-'.padEnd(64, 'b')] as const;
/** A key with a checksum that fits, which nobody has. */
const API_KEY = 'tk_live_0000000000000000000000000000002C8GjS';
const NUMBER_FAULTS = ['-1', '+1', '1.0', '1e3', ' 1', '1 ', '0x10', '１', 'one', '99999999999', 'NaN'];

/** What each setting takes, and what it makes of it. */
const TAKEN: Record<keyof typeof SETTINGS, readonly (readonly [text: string, value: unknown])[]> = {
  host: [
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['my-host.example', 'my-host.example'],
  ],
  port: [
    ['0', 0],
    ['1', 1],
    ['65535', 65_535],
  ],
  operatorHost: [['127.0.0.2', '127.0.0.2']],
  operatorPort: [['3001', 3001]],
  databaseUrl: [
    ['sqlite:a.db', 'sqlite:a.db'],
    ['sqlite:/var/a b.db', 'sqlite:/var/a b.db'],
    ['postgres://u:p@h:5432/d', 'postgres://u:p@h:5432/d'],
    ['postgresql://h1,h2/d', 'postgresql://h1,h2/d'],
  ],
  databaseConnections: [
    ['1', 1],
    ['32', 32],
  ],
  databaseReplicaUrls: [
    ['postgres://u:p@h1/d', ['postgres://u:p@h1/d']],
    ['postgres://h1/d, postgresql://h2/d', ['postgres://h1/d', 'postgresql://h2/d']],
  ],
  databaseReplicaMaxLagMs: [
    ['1000', 1000],
    ['600000', 600_000],
  ],
  requestTimeoutMs: [
    ['100', 100],
    ['60000', 60_000],
  ],
  statuses: [
    [
      'failed:unpaid, refunded:paid',
      new Map([
        ['pending', 'unpaid'],
        ['completed', 'paid'],
        ['failed', 'unpaid'],
        ['refunded', 'paid'],
      ]),
    ],
  ],
  cursorLifetimeSeconds: [
    ['1', 1],
    ['2592000', 2_592_000],
  ],
  cursorSecrets: [
    [SECRETS[0], [SECRETS[0]]],
    [SECRETS.join(' , '), SECRETS],
  ],
  apiKey: [[API_KEY, API_KEY]],
  logLevel: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, level]),
  rateLimit: [
    ['1', { perSecond: 1, burst: 2 }],
    ['1000000', { perSecond: 1_000_000, burst: 2_000_000 }],
    ['off', null],
  ],
  failedAuthenticationRateLimit: [
    ['1', { perSecond: 1, burst: 10 }],
    ['1000000', { perSecond: 1_000_000, burst: 10_000_000 }],
    ['off', null],
  ],
  connectionsPerAddress: [
    ['1', 1],
    ['10000', 10_000],
    ['off', null],
  ],
  trustedProxies: [
    ['10.0.0.0/8', ['10.0.0.0/8']],
    [
      '127.0.0.1, ::1,10.0.0.0/0,10.0.0.1/32,fd00::/128',
      ['127.0.0.1', '::1', '10.0.0.0/0', '10.0.0.1/32', 'fd00::/128'],
    ],
  ],
};

/** What each setting refuses, and the end of the sentence that says so. */
const REFUSED: Record<keyof typeof SETTINGS, readonly [fault: string | RegExp, texts: readonly string[]][]> =
  {
    host: [
      [
        /^HOST is ".*", which is neither a host name nor an IP address\.$/,
        ['a b', 'http://a', 'a/b', 'x'.repeat(254)],
      ],
    ],
    operatorHost: [[/^OPERATOR_HOST is ".*", which is neither/, ['a b']]],
    operatorPort: [
      [/^OPERATOR_PORT is ".*", which is not a whole number from 0 to 65535\.$/, ['65536', 'off']],
    ],
    port: [[/^PORT is ".*", which is not a whole number from 0 to 65535\.$/, [...NUMBER_FAULTS, '65536']]],
    databaseUrl: [
      [
        'DATABASE_URL names no database; write sqlite:PATH, for example sqlite:data/transactions.db, or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
        ['data.db', 'sqlite:', 'mysql://u:hidden@h/d', 'SQLITE:a.db'],
      ],
      [
        /^DATABASE_URL is not the address of a PostgreSQL database; write postgres:\/\/USER/,
        ['postgres://h', 'postgres://u:p%zz@h/d'],
      ],
    ],
    databaseConnections: [
      [
        /^DATABASE_CONNECTIONS is ".*", which is not a whole number from 1 to 32\.$/,
        [...NUMBER_FAULTS, '0', '33'],
      ],
    ],
    databaseReplicaUrls: [
      [
        /^DATABASE_REPLICA_URLS has an entry 1 that is not the address of a PostgreSQL database; write postgres:.*\.$/,
        ['sqlite:a.db', 'postgres://h', 'h1,h2'],
      ],
      [/has an entry 2 that is not the address/, ['postgres://h/d,postgres://h2']],
      [
        /has an entry 1 that names several hosts; write an address of its own for each replica\.$/,
        ['postgres://h1,h2/d', 'postgres://h1:1,h2:2/d,postgres://h3/d'],
      ],
    ],
    databaseReplicaMaxLagMs: [
      [
        /^DATABASE_REPLICA_MAX_LAG is ".*", which is not a whole number from 1000 to 600000\.$/,
        [...NUMBER_FAULTS, '999', '600001'],
      ],
    ],
    requestTimeoutMs: [
      [
        /^REQUEST_TIMEOUT is ".*", which is not a whole number from 100 to 60000\.$/,
        [...NUMBER_FAULTS, '99', '60001'],
      ],
    ],
    statuses: [
      [
        /^STATUSES has a faulty entry: .*; write it as failed:unpaid,refunded:paid\.$/,
        ['failed', 'Failed:paid', 'pending:paid', ','],
      ],
    ],
    cursorLifetimeSeconds: [
      [
        /^CURSOR_LIFETIME is ".*", which is not a whole number from 1 to 2592000\.$/,
        [...NUMBER_FAULTS, '0', '2592001'],
      ],
    ],
    cursorSecrets: [
      [
        'CURSOR_SECRETS has 31 characters in its secret 1, and at least 32 are needed; make one with: openssl rand -hex 32.',
        ['x'.repeat(31), ` ${'x'.repeat(31)} `],
      ],
      [/^CURSOR_SECRETS has 0 characters in its secret 2,/, [`${SECRETS[0]},`, `${SECRETS[0]}, `]],
      ['CURSOR_SECRETS has its secret 3 twice.', [`${SECRETS[0]},${SECRETS[1]},${SECRETS[0]}`]],
    ],
    apiKey: [
      [
        'TRANSACTIONS_API_KEY is not an API key of an account, or is misspelt; one is tk_live_ and 36 characters.',
        ['hunter2', `${API_KEY} `, API_KEY.slice(0, -1), API_KEY.replace('live', 'operator')],
      ],
    ],
    logLevel: [
      [
        /^LOG_LEVEL is ".*", which is none of fatal, error, warn, info, debug, trace, silent\.$/,
        ['INFO', 'verbose', ' info'],
      ],
    ],
    rateLimit: [
      [
        /^RATE_LIMIT is ".*", which is not a whole number from 1 to 1000000, or off\.$/,
        [...NUMBER_FAULTS, '0', '1000001', 'OFF'],
      ],
    ],
    failedAuthenticationRateLimit: [
      [
        /^FAILED_AUTHENTICATION_RATE_LIMIT is ".*", which is not a whole number from 1 to 1000000, or off\.$/,
        ['0', '1000001', 'none'],
      ],
    ],
    connectionsPerAddress: [
      [
        /^CONNECTIONS_PER_ADDRESS is ".*", which is not a whole number from 1 to 10000, or off\.$/,
        ['0', '10001', 'none', '1.5'],
      ],
    ],
    trustedProxies: [
      [
        /^TRUSTED_PROXIES holds ".*", which is no IP address or CIDR range\.$/,
        [
          'proxy',
          '10.0.0.0/33',
          '::1/129',
          '10.0.0.0/',
          '10.0.0.0/8/8',
          '10.0.0.0/-1',
          '256.0.0.1',
          '10.0.0.1,',
          'loopback',
        ],
      ],
    ],
  };

const keys = Object.keys(SETTINGS) as (keyof typeof SETTINGS)[];

function settingOf(key: keyof typeof SETTINGS, config: Config): unknown {
  return key === 'cursorSecrets' || key === 'apiKey' ? config.secrets[key] : config[key];
}

test('without an environment every setting has its default', () => {
  const config = configOf({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 3000,
    operatorHost: '127.0.0.1',
    operatorPort: null,
    databaseUrl: 'sqlite:data/transactions.db',
    databaseConnections: 2,
    databaseReplicaUrls: [],
    databaseReplicaMaxLagMs: 2000,
    requestTimeoutMs: 2000,
    statuses: new Map([
      ['pending', 'unpaid'],
      ['completed', 'paid'],
    ]),
    cursorLifetimeSeconds: 86_400,
    logLevel: 'info',
    rateLimit: { perSecond: 1000, burst: 2000 },
    failedAuthenticationRateLimit: { perSecond: 100, burst: 1000 },
    connectionsPerAddress: 1000,
    trustedProxies: [],
    secrets: { cursorSecrets: null, apiKey: null },
  });
});

test('the default that the page of settings shows is the one that is used', () => {
  for (const key of keys) {
    const { absent, default: shown } = SETTINGS[key];
    if (typeof absent === 'string' || typeof absent === 'number')
      assert.equal(shown.split(' ')[0], String(absent), key);
    else if (absent !== null && 'perSecond' in absent) assert.equal(shown, String(absent.perSecond), key);
    else assert.match(shown, /^(none|one that the database keeps)/, key);
  }
});

for (const key of keys) {
  const { name } = SETTINGS[key];

  test(`${name}: what is within its bounds is taken`, () => {
    assert.ok(TAKEN[key].length > 0);
    for (const [text, value] of TAKEN[key]) {
      const config = configOf({ [name]: text });
      assert.deepEqual(settingOf(key, config), value, text);
      for (const other of keys)
        if (other !== key)
          assert.deepEqual(settingOf(other, config), SETTINGS[other].absent, `${name} sets ${other}`);
    }
  });

  test(`${name}: what is not is refused with a sentence that names it and says what would be taken`, () => {
    assert.ok(REFUSED[key].length > 0);
    for (const [fault, texts] of REFUSED[key]) {
      for (const text of texts) {
        const [told = '', ...further] = faultsOf({ [name]: text });
        if (typeof fault === 'string') assert.equal(told, fault);
        else assert.match(told, fault, text);
        for (const one of further) assert.ok(one.startsWith(`${name} `), one);
      }
    }
  });

  test(`${name}: empty is refused, and not taken for the default`, () => {
    assert.deepEqual(faultsOf({ [name]: '' }), [`${name} is empty; take it out to use the default.`]);
    assert.deepEqual(configOf({ [name]: undefined }), configOf({}));
  });
}

test('all faults of all settings are told at once', () => {
  const env = Object.fromEntries(keys.map((key) => [SETTINGS[key].name, REFUSED[key][0]?.[1][0]]));
  const faults = faultsOf({ ...env, CURSOR_SECRET: 'x', STATUSES: 'a,b' });
  for (const { name } of Object.values(SETTINGS))
    assert.equal(
      faults.filter((fault) => fault.startsWith(`${name} `)).length,
      name === 'STATUSES' ? 2 : 1,
      name,
    );
  assert.equal(faults.length, keys.length + 2);
});

test('no secret and no password stands in a fault', () => {
  const secret = 'hunter2';
  const faults = faultsOf({
    CURSOR_SECRETS: `${secret},${secret}`,
    CURSOR_SECRET: secret,
    DATABASE_URL: `postgres://user:${secret}@host`,
    DATABASE_REPLICA_URLS: `postgres://user:${secret}@host`,
    TRANSACTIONS_KEY: secret,
    TRANSACTIONS_API_KEY: secret,
  });
  assert.ok(faults.length >= 7);
  assert.ok(!faults.join().includes(secret), faults.join('\n'));
  assert.ok(
    !faultsOf({ DATABASE_URL: `mysql://user:${secret}@host/d` })
      .join()
      .includes(secret),
  );
});

test('secrets stand apart from what may be logged', () => {
  const { secrets, ...rest } = configOf({
    CURSOR_SECRETS: SECRETS.join(),
    TRANSACTIONS_API_KEY: API_KEY,
  });
  assert.deepEqual(secrets, { cursorSecrets: SECRETS, apiKey: API_KEY });
  for (const secret of [SECRETS[0], API_KEY]) assert.ok(!JSON.stringify(rest).includes(secret));
});
