import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsPage } from '../../scripts/settings-page.ts';
import { parseRole } from '../staff/roles.ts';
import { readConfig } from './read-config.ts';
import { type Config, SETTINGS } from './settings.ts';

type Key = keyof typeof SETTINGS;

interface Case {
  default: unknown;
  accepted: readonly (readonly [text: string, value: unknown])[];
  /** Texts with the fault that follows the name of the setting. */
  refused: readonly (readonly [fault: string | RegExp, texts: readonly string[]])[];
}

const SECRETS = ['first-'.padEnd(32, 'a'), 'second-'.padEnd(64, 'b')] as const;
/** Has a correct checksum. */
const API_KEY = 'tk_live_0000000000000000000000000000002C8GjS';
const PROXY = 'http://user:hunter2@proxy:3128';
const NOT_NUMBERS = ['-1', '+1', '1.0', '1e3', ' 1', '1 ', '0x10', '１', 'one', '99999999999', 'NaN'];

const BUILT_IN = [
  ['pending', 'unpaid'],
  ['completed', 'paid'],
] as const;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Texts that are their own values. */
const same = (...texts: string[]) => texts.map((text) => [text, text] as const);

const numberCase = (least: number, most: number, byDefault: unknown, ending = '') => ({
  default: byDefault,
  accepted: [least, most].map((value) => [String(value), value] as const),
  refused: [
    [
      new RegExp(
        `^is ".*", which is not a whole number from ${least} to ${most} \\([a-zA-Z ]+\\)${ending}\\.$`,
      ),
      [...NOT_NUMBERS, String(most + 1), ...(least > 0 ? [String(least - 1)] : [])],
    ] as const,
  ],
});
const rateCase = (perSecond: number, burstSeconds: number) => {
  const rate = (value: number) => ({ perSecond: value, burst: burstSeconds * value });
  const { refused } = numberCase(1, 1_000_000, null, ', or off');
  const accepted = [['1', rate(1)] as const, ['1000000', rate(1_000_000)] as const, ['off', null] as const];
  return { default: rate(perSecond), accepted, refused };
};

const HOST: Case = {
  default: '127.0.0.1',
  accepted: same('0.0.0.0', '::', 'my-host.example'),
  refused: [
    [
      /^is ".*", which is neither a host name nor an IP address\.$/,
      ['a b', 'http://a', 'a/b', 'x'.repeat(254)],
    ],
  ],
};

const NETWORKS: Case = {
  default: [],
  accepted: [
    ['10.0.0.0/8', ['10.0.0.0/8']],
    [
      '127.0.0.1, ::1,10.0.0.0/0,10.0.0.1/32,fd00::/128',
      ['127.0.0.1', '::1', '10.0.0.0/0', '10.0.0.1/32', 'fd00::/128'],
    ],
  ],
  refused: [
    [
      /^contains ".*", which is not an IP address or CIDR range\.$/,
      ['proxy', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '256.0.0.1'].concat([
        '10.0.0.1,',
        '[::1]',
        '10.0.0.1:80',
        '10/8',
        '0x7f.1',
        'fe80::1%eth0',
      ]),
    ],
  ],
};

const BROWSER_URL: Case = {
  default: null,
  accepted: same(
    'https://payments.example/',
    'https://payments.example',
    'http://127.0.0.1:3000/',
    'http://localhost:3000',
    'http://[::1]/',
  ),
  refused: [
    [
      /^is not a URL that begins with https:\/\/, or http:\/\/ with localhost/,
      ['payments.example', 'http://payments.example', 'ftp://127.0.0.1', 'javascript:alert(1)', '/'].concat(
        'https://payments.example/ ',
        'https://pay\nments.example',
        'https:payments.example',
        'https:\\\\payments.example',
      ),
    ],
    [
      /^has a user, a password or a fragment; remove them/,
      ['https://user@payments.example', 'https://:word@payments.example', 'https://payments.example/#a'],
    ],
  ],
};

const printableCase = (noun: string, byDefault: string | null): Case => ({
  default: byDefault,
  accepted: same('x', 'a-long~text/with+signs='),
  refused: [
    [
      `is not a ${noun}; write 1 to 255 characters of printable ASCII without spaces.`,
      ['a b', 'a\tb', 'é', 'x'.repeat(256)],
    ],
  ],
});

const wordCase = (byDefault: string, other: string, misspelt: readonly string[]): Case => ({
  default: byDefault,
  accepted: same(byDefault, other),
  refused: [
    [
      /^is ".*", which is not one of \w+, \w+\.$/,
      [...misspelt, `${other} `, ` ${byDefault}`, other.toUpperCase()],
    ],
  ],
});

const CASES: Record<Key, Case> = {
  envFile: {
    default: '.env',
    accepted: same('/etc/transactions/transactions.env', 'other.env'),
    refused: [[/^ends with a slash; write the path of a file\.$/, ['/etc/', './']]],
  },
  host: HOST,
  port: numberCase(0, 65_535, 3000),
  operatorHost: HOST,
  operatorPort: numberCase(0, 65_535, null),
  metricsHost: HOST,
  metricsPort: numberCase(0, 65_535, null),
  databaseUrl: {
    default: 'sqlite:data/transactions.db',
    accepted: same('sqlite:a.db', 'sqlite:/var/a b.db', 'postgres://u:p@h:5432/d', 'postgresql://h1,h2/d'),
    refused: [
      [
        /^.*; write sqlite:PATH, for example sqlite:data\/transactions\.db, or postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE\.$/,
        ['data.db', 'sqlite:', 'sqlite: ', 'mysql://u:hidden@h/d', 'SQLITE:a.db'],
      ],
      [/^is a database in memory, .*; write sqlite:PATH\.$/, ['sqlite::memory:', 'sqlite://:memory:']],
      [
        /^has a path that begins with file:; write sqlite:PATH\.$/,
        ['sqlite:file::memory:', 'sqlite:file:a.db'],
      ],
      [/^is .*PostgreSQL database; write postgres:\/\/USER/, ['postgres://h', 'postgres://u:p%zz@h/d']],
    ],
  },
  databaseConnections: numberCase(1, 32, 2),
  databaseReplicaUrls: {
    default: [],
    accepted: [
      ['postgres://u:p@h1/d', ['postgres://u:p@h1/d']],
      ['postgres://h1/d, postgresql://h2/d', ['postgres://h1/d', 'postgresql://h2/d']],
    ],
    refused: [
      [
        /^has an entry 1 that is .*PostgreSQL database; write postgres:.*\.$/,
        ['sqlite:a.db', 'postgres://h', 'h1,h2'],
      ],
      [/^has an entry 2 that is /, ['postgres://h/d,postgres://h2']],
      [
        /^has an entry 1 that names several hosts; .*\.$/,
        ['postgres://h1,h2/d', 'postgres://h1:1,h2:2/d,postgres://h3/d'],
      ],
    ],
  },
  databaseReplicaMaxLagMs: numberCase(1000, 600_000, 2000),
  requestTimeoutMs: numberCase(100, 60_000, 2000),
  statuses: {
    default: new Map(BUILT_IN),
    accepted: [
      ['failed:unpaid, captured:paid', new Map([...BUILT_IN, ['failed', 'unpaid'], ['captured', 'paid']])],
    ],
    refused: [
      [
        /^has a faulty entry: .*; write it as failed:unpaid,captured:paid\.$/,
        ['failed', 'Failed:paid', 'pending:paid', ','],
      ],
    ],
  },
  cursorLifetimeSeconds: numberCase(1, 2_592_000, 86_400),
  cursorSecrets: {
    default: null,
    accepted: [
      [SECRETS[0], [SECRETS[0]]],
      [SECRETS.join(' , '), SECRETS],
    ],
    refused: [
      [
        'has a secret 1 of 31 characters, and at least 32 are required; make a secret with: openssl rand -hex 32.',
        ['x'.repeat(31), ` ${'x'.repeat(31)} `],
      ],
      [/^has a secret 2 of 0 characters,/, [`${SECRETS[0]},`, `${SECRETS[0]}, `]],
      ['has the secret 3 twice.', [`${SECRETS[0]},${SECRETS[1]},${SECRETS[0]}`]],
    ],
  },
  transactionsUrl: {
    default: null,
    accepted: same('https://service.test/base'),
    refused: [
      [/^is not a URL, such as/, ['service.test', 'ftp://service.test', 'http://', 'https://service.test ']],
      [
        /^has a user, a password, a query, a fragment or \/v1 at its end, which the client adds; write https:\/\/service\.test\/base\.$/,
        ['?', '#', '?a=b', '/v1', '/v1/'].map((end) => `https://service.test/base${end}`),
      ],
      [/; write https:\/\/service\.test\.$/, ['https://user@service.test', 'https://:word@service.test/v1']],
    ],
  },
  apiKey: {
    default: null,
    accepted: same(API_KEY),
    refused: [
      [
        'is not an API key of an account, or is misspelt; an API key is tk_live_ and 36 characters.',
        ['hunter2', `${API_KEY} `, API_KEY.slice(0, -1), API_KEY.replace('live', 'operator')],
      ],
    ],
  },
  logLevel: {
    default: 'info',
    accepted: same(...LEVELS),
    refused: [[new RegExp(`which is not one of ${LEVELS.join(', ')}\\.$`), ['INFO', 'verbose', ' info']]],
  },
  asynchronousStandbys: wordCase('warn', 'accepted', ['on']),
  accounts: wordCase('any', 'declared', ['all']),
  createdAtAheadSeconds: numberCase(86_400, 3_153_600_000, 86_400),
  rateLimit: rateCase(1000, 2),
  failedAuthenticationRateLimit: rateCase(100, 10),
  connectionsPerAddress: {
    ...numberCase(1, 10_000, 1000, ', or off'),
    accepted: [
      ['1', 1],
      ['10000', 10_000],
      ['off', null],
    ],
  },
  maxHeaderBytes: numberCase(8192, 131_072, 16_384),
  keepAliveSeconds: numberCase(5, 7200, 72),
  drainSeconds: numberCase(0, 60, 0),
  trustedProxies: NETWORKS,
  publicUrl: {
    ...BROWSER_URL,
    refused: [
      ...BROWSER_URL.refused,
      [
        'has a path, a query or a fragment, and the page is at the root of its host; write https://payments.example/.',
        ['pay', 'pay/', '?from=page', '?', '#'].map((rest) => `https://payments.example/${rest}`),
      ],
    ],
  },
  sessionReturnUrl: {
    ...BROWSER_URL,
    accepted: [...BROWSER_URL.accepted, ...same('https://platform.example/pay?a=b')],
  },
  embedOrigins: {
    default: [],
    accepted: [
      ['https://platform.example', ['https://platform.example']],
      [
        'https://platform.example, http://localhost:8080',
        ['https://platform.example', 'http://localhost:8080'],
      ],
    ],
    refused: [
      [
        /^contains ".*", which is not an origin; write scheme and host without a path/,
        [
          'platform.example',
          'https://platform.example/',
          'https://a.example/b',
          '*',
          "'self'",
          'data:',
        ].concat(['https://*.platform.example', 'https://a.example,', 'https://a.example;script-src *']),
      ],
    ],
  },
  webhooks: wordCase('on', 'off', ['true', '1']),
  logAddresses: wordCase('off', 'on', ['true', '1']),
  webhookNetworks: NETWORKS,
  webhookProxy: {
    default: null,
    accepted: same(
      'http://proxy.example:3128',
      'HTTP://10.0.0.1:3128/',
      'https://us%40er:p%25w@[fd00::1]:3129',
      'http://:word@proxy',
    ),
    refused: [
      [
        /^is not a URL such as http:\/\/HOST:PORT or http:\/\/USER:PASSWORD@HOST:PORT, without a path; percent-encode /,
        ['proxy:3128', 'socks5://proxy:1080', 'http://', 'http://u:pa#ss@h:1', 'http://u:p@h:1/a'].concat([
          'http://h:1/?a',
          'http://h:1?',
          'http://h:1#',
          'http://h:99999',
          'http://u:p w@h:1',
          'http:\\\\h',
        ]),
      ],
      [
        /^has a user name or password with a % that begins no encoded character/,
        ['http://u:5%@h', 'http://u:%ff@h', 'http://u%4:0x@h'],
      ],
    ],
  },
  oidcIssuer: {
    default: null,
    accepted: same('https://id.example/realms/staff', 'http://localhost:8080', 'http://127.0.0.1:1'),
    refused: [
      [/^is not a URL that begins with https:\/\//, ['id.example', 'http://id.example', 'ftp://localhost']],
      [/^has a user, a password or a fragment/, ['https://u:p@id.example', 'https://id.example/#a']],
      [
        /^has a query; write the issuer as the provider names it\.$/,
        ['https://id.example/?a=b', 'https://id.example?'],
      ],
    ],
  },
  oidcClientId: printableCase('client id', null),
  oidcClientSecret: printableCase('client secret', null),
  oidcRedirectUrl: {
    default: null,
    accepted: same('https://ops.example/staff/callback', 'http://localhost:3001/staff/oidc'),
    refused: [
      [
        /^is not a URL that begins with https:\/\//,
        ['ops.example/staff/callback', 'http://ops.example/staff/callback'],
      ],
      [
        /^does not lead to the path \/staff\/callback of the operator's interface; write an address such as https:.*\/staff\/callback\.$/,
        ['', '/staff', '/staff/', '/staff/looks', '/staff/callback?a', '/staff/a/b', '/v1/accounts'].map(
          (path) => `https://ops.example${path}`,
        ),
      ],
    ],
  },
  oidcScopes: {
    default: 'openid email profile',
    accepted: same('openid', 'openid email groups'),
    refused: [
      [
        /^is ".*"; write scopes with one space between them, openid among them, such as openid email profile groups\.$/,
        ['email', 'openid  email', ' openid', 'openid,email', 'openid "a"'],
      ],
    ],
  },
  oidcRoles: {
    default: [],
    accepted: [
      [
        'groups:support=read, groups:eu=read+audit@eu-',
        ['groups:support=read', 'groups:eu=read+audit@eu-'].map(parseRole),
      ],
    ],
    refused: [
      [
        /^has the entry "groups:support", which is no role: write claim:value=scopes, such as groups:support=read/,
        ['groups:support', 'groups:a=read,groups:support'],
      ],
      [
        /^has the entry "g:a=raed", which is no role: "raed" is not a scope: did you mean read\?/,
        ['g:a=raed'],
      ],
      [/^has the entry "", which is no role/, ['g:a=read,']],
      [
        /^has 51 roles; at most 50 are possible\.$/,
        [Array.from({ length: 51 }, (_, n) => `g:${n}=read`).join()],
      ],
    ],
  },
  oidcPersonClaim: printableCase('claim', 'email'),
  webhookHttp: wordCase('false', 'true', ['1', 'on']),
};

const keys = Object.keys(SETTINGS) as Key[];

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

for (const key of keys) {
  const { name } = SETTINGS[key];

  test(`${name}: not set, it has its default, which docs/settings.md shows`, () => {
    assert.deepEqual(settingOf(key, configOf({})), CASES[key].default);
    const { default: value, defaultText }: { default: unknown; defaultText?: string } = SETTINGS[key];
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const isRate = typeof value === 'object' && value !== null && 'perSecond' in value;
    const beginning = isPlain ? String(value) : isRate ? String(value.perSecond) : 'none';
    const shown = defaultText ?? String(value);
    assert.ok(shown.startsWith(beginning));
    const section = settingsPage()
      .split(/^## /m)
      .find((text) => text.startsWith(`${name}\n`));
    assert.ok(section?.trimEnd().endsWith(`\n- default: ${shown}`), section);
  });

  test(`${name}: a text within its bounds is accepted, and changes no other setting`, () => {
    assert.ok(CASES[key].accepted.length > 0);
    for (const [text, value] of CASES[key].accepted) {
      const config = configOf({ [name]: text });
      assert.deepEqual(settingOf(key, config), value, text);
      for (const other of keys)
        if (other !== key) assert.deepEqual(settingOf(other, config), CASES[other].default, other);
    }
  });

  test(`${name}: a text outside its bounds is refused with a sentence that says what is accepted`, () => {
    assert.ok(CASES[key].refused.length > 0);
    for (const [fault, texts] of CASES[key].refused) {
      for (const text of texts) {
        const faults = faultsOf({ [name]: text });
        for (const one of faults) assert.ok(one.startsWith(`${name} `), one);
        const [first = ''] = faults.map((one) => one.slice(name.length + 1));
        if (typeof fault === 'string') assert.equal(first, fault);
        else assert.match(first, fault, text);
      }
    }
  });

  test(`${name}: an empty text is refused and not replaced by the default`, () => {
    const right =
      key === 'apiKey'
        ? 'set it to the API key of the account, which "transactions keys create" creates, or remove it for commands that do not call the service'
        : 'remove it to use the default';
    assert.deepEqual(faultsOf({ [name]: '' }), [`${name} is empty; ${right}.`]);
  });
}

test('faults of all settings are reported at once', () => {
  const env = Object.fromEntries(
    keys.map((key) => [SETTINGS[key].name, CASES[key].refused[0]?.[1][0] ?? '']),
  );
  const faults = faultsOf({ ...env, STATUSES: 'a,b' }, { CURSOR_SECRET: 'x' });
  for (const { name } of Object.values(SETTINGS)) {
    const own = faults.filter((fault) => fault.startsWith(`${name} `));
    assert.equal(own.length, name === 'STATUSES' ? 2 : 1, name);
  }
  assert.equal(faults.length, keys.length + 2);
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
  const { secrets, ...rest } = configOf({
    CURSOR_SECRETS: SECRETS.join(),
    TRANSACTIONS_API_KEY: API_KEY,
    OIDC_CLIENT_SECRET: 'hunter2',
    WEBHOOK_PROXY: PROXY,
  });
  assert.deepEqual(secrets, {
    cursorSecrets: SECRETS,
    apiKey: API_KEY,
    oidcClientSecret: 'hunter2',
    webhookProxy: PROXY,
  });
  for (const secret of [SECRETS[0], API_KEY, 'hunter2']) assert.ok(!JSON.stringify(rest).includes(secret));
});
