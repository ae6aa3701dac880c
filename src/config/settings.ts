import { API_KEY_PREFIX } from '../../values/caller.ts';
import { counted } from '../../values/counted.ts';
import { quote } from '../../values/quote.ts';
import { BUILT_IN_STATUSES, declareStatuses, type Statuses } from '../../values/status.ts';
import { isWellFormedApiKey } from '../keys/api-key.ts';
import type { StaffRole } from '../staff/staff.ts';
import { explainDatabaseUrl, explainReplicaUrl } from '../store/open-store.ts';
import {
  BROWSER_URL,
  checked,
  type Form,
  HOST,
  listOf,
  NETWORK_LIST,
  oneOf,
  orOff,
  PAGE_URL,
  PORT,
  PROXY_URL,
  type RateLimit,
  rate,
  SERVICE_URL,
  wholeNumberForm,
} from './setting-forms.ts';
import { OIDC_ISSUER, OIDC_REDIRECT_URL, OIDC_ROLES, OIDC_SCOPES, printable } from './staff-forms.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const CURSOR_SECRET_MIN_CHARACTERS = 32;

const STATUS_LIST: Form<Statuses> = {
  form: 'list of NAME:paid or NAME:unpaid, separated by commas',
  bounds: 'names of a-z, 0-9 and _, at most 32 characters',
  parse: (text) => {
    const declared = declareStatuses(text);
    return 'statuses' in declared ? { value: declared.statuses } : declared;
  },
};

const CURSOR_SECRET_LIST = listOf(
  'secrets',
  `all different, each of at least ${CURSOR_SECRET_MIN_CHARACTERS} characters`,
  (secret, index, all) => {
    if (secret.length < CURSOR_SECRET_MIN_CHARACTERS)
      return `has a secret that is too short: secret ${index + 1} has ${counted(secret.length, 'character')}, and at least ${CURSOR_SECRET_MIN_CHARACTERS} are required; make a secret with: openssl rand -hex 32`;
    return all.indexOf(secret) < index
      ? `has a secret twice: secret ${index + 1} is the same as an earlier one`
      : undefined;
  },
);

const REPLICA_LIST = listOf(
  'addresses',
  'each is a standby of DATABASE_URL, with one host: postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  (url, index) => {
    const fault = explainReplicaUrl(url);
    return fault === undefined ? undefined : `has an entry ${index + 1} that ${fault}`;
  },
  // Splits only at a comma before an address: other commas separate the hosts of one address.
  /,\s*(?=postgres(?:ql)?:)/,
);

const API_KEY = checked(
  'API key',
  `${API_KEY_PREFIX} and 36 characters, as "transactions keys create" prints it`,
  (text) =>
    isWellFormedApiKey(text)
      ? undefined
      : `is not an API key of an account, or is misspelt; an API key is ${API_KEY_PREFIX} and 36 characters`,
);

const ORIGIN_LIST = listOf('origins', 'for example https://platform.example', (origin) => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin && !origin.includes('*')
    ? undefined
    : `contains ${quote(origin)}, which is not an origin; write scheme and host without a path, such as https://platform.example`;
});

export interface Setting<Value> extends Form<Value> {
  name: string;
  description: string;
  default: Value;
  /** If this is absent, documents show the value of `default`, or `none` if it is null. */
  defaultText?: string;
  isSecret: boolean;
  /** True if the value must be the same on all instances: see shared-settings.ts. */
  isShared?: true;
}

type Declared<Value> = Omit<Setting<Value>, 'isSecret'>;

function setting<Value>(declared: Declared<Value>): Setting<Value> & { isSecret: false } {
  return { ...declared, isSecret: false };
}

function secret<Value>(declared: Declared<Value>): Setting<Value> & { isSecret: true } {
  return { ...declared, isSecret: true };
}

export const SETTINGS = {
  envFile: setting({
    ...checked('path', 'of a file', (path) =>
      path.endsWith('/') ? 'ends with a slash; write the path of a file' : undefined,
    ),
    name: 'ENV_FILE',
    default: '.env',
    description:
      'A file with settings: each line is NAME=VALUE. Variables of the environment take precedence. The default file need not exist.',
  }),
  host: setting({
    ...HOST,
    name: 'HOST',
    default: '127.0.0.1',
    description: 'The address that the service listens on. 0.0.0.0 or :: means every address.',
  }),
  port: setting({
    ...PORT,
    name: 'PORT',
    default: 3000,
    description: 'The port that the service listens on.',
  }),
  operatorHost: setting({
    ...HOST,
    name: 'OPERATOR_HOST',
    default: '127.0.0.1',
    description: "The address of the operator's interface. Keep it off the public network.",
  }),
  operatorPort: setting<number | null>({
    ...PORT,
    name: 'OPERATOR_PORT',
    default: null,
    defaultText: "none (the operator's interface is off)",
    description: "The port of the operator's interface, which records transactions and makes keys.",
  }),
  metricsHost: setting({
    ...HOST,
    name: 'METRICS_HOST',
    default: '127.0.0.1',
    description: 'The address of the listener for monitoring. Keep it off the public network.',
  }),
  metricsPort: setting<number | null>({
    ...PORT,
    name: 'METRICS_PORT',
    default: null,
    defaultText: 'none (no listener for monitoring)',
    description: 'The port of the listener for monitoring, which has /metrics, /livez, /healthz and /readyz.',
  }),
  databaseUrl: setting({
    ...checked('address', 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE', explainDatabaseUrl),
    name: 'DATABASE_URL',
    default: 'sqlite:data/transactions.db',
    description:
      'The database: an SQLite file, or a database of PostgreSQL 15 or later. `serve`, `import`, `migrate` and `copy` create a missing SQLite file, and migrate an older schema. The path of the file is relative to the working directory. A PostgreSQL address can list several hosts, separated by commas: the service uses the first host that is the primary.',
  }),
  databaseConnections: setting({
    ...wholeNumberForm('number of connections', 1, 32),
    name: 'DATABASE_CONNECTIONS',
    default: 2,
    description:
      'How many PostgreSQL connections each process opens for lists. A process that records transactions opens as many again for recordings. On Citus, the number is for each worker. A good value is the number of cores that PostgreSQL can use for the service.',
  }),
  databaseReplicaUrls: setting({
    ...REPLICA_LIST,
    name: 'DATABASE_REPLICA_URLS',
    default: [],
    defaultText: 'none',
    description:
      'Standbys from which lists are read in turn. A standby is used only while it is at most DATABASE_REPLICA_MAX_LAG behind. Otherwise the primary is read. No page of a list shows an older state than the previous page.',
  }),
  databaseReplicaMaxLagMs: setting({
    ...wholeNumberForm('milliseconds', 1000, 600_000),
    name: 'DATABASE_REPLICA_MAX_LAG',
    default: 2000,
    description: 'How far a replica can be behind the primary and still serve lists.',
  }),
  asynchronousStandbys: setting<'warn' | 'accepted'>({
    ...oneOf(['warn', 'accepted']),
    name: 'ASYNCHRONOUS_STANDBYS',
    default: 'warn',
    description:
      'With `warn`, each process that records transactions warns at its start if PostgreSQL has standbys and commits do not wait for them. `accepted` turns the warning off: you accept that a failover can lose recordings. After a failover, follow the steps for a restored backup.',
  }),
  requestTimeoutMs: setting({
    ...wholeNumberForm('milliseconds', 100, 60_000),
    name: 'REQUEST_TIMEOUT',
    default: 2000,
    description:
      'The time limit of a request, measured from the end of its body. In a stream, each group of lines has this limit. A request that exceeds the limit gets 503 with Retry-After, but its transaction may have been recorded.',
  }),
  statuses: setting({
    ...STATUS_LIST,
    name: 'STATUSES',
    isShared: true,
    default: BUILT_IN_STATUSES,
    defaultText: 'none (only pending and completed)',
    description:
      'Additional statuses, at most 30. A paid status requires paidAt, and an unpaid status forbids it. A status that is no longer declared still works as a filter, but no transaction can be recorded in it.',
  }),
  accounts: setting<'any' | 'declared'>({
    ...oneOf(['any', 'declared']),
    name: 'ACCOUNTS',
    isShared: true,
    default: 'any',
    description:
      'With `any`, every account accepts transactions and sessions. With `declared`, only accounts that have an API key or recorded transactions are accepted, so a misspelt name creates no account. To declare an account, make a key for it.',
  }),
  cursorLifetimeSeconds: setting({
    ...wholeNumberForm('seconds', 1, 2_592_000, ', which is 30 days'),
    name: 'CURSOR_LIFETIME',
    isShared: true,
    default: 86_400,
    defaultText: '86400 (24 hours)',
    description: 'How long a cursor is valid after it was issued.',
  }),
  cursorSecrets: secret<readonly string[] | null>({
    ...CURSOR_SECRET_LIST,
    name: 'CURSOR_SECRETS',
    isShared: true,
    default: null,
    defaultText: 'none (a secret that is stored in the database)',
    description:
      'The first secret encrypts new cursors, and every secret decrypts cursors. When you first set CURSOR_SECRETS, earlier cursors get 400, because the stored secret is no longer used. To change the secret without a failed request, append the new secret on every instance. Then move the new secret to the front on every instance, and remove the old secret after CURSOR_LIFETIME. Remove a leaked secret at once: its cursors then get 400, and staff must sign in again.',
  }),
  createdAtAheadSeconds: setting({
    ...wholeNumberForm('seconds', 86_400, 3_153_600_000),
    name: 'CREATED_AT_AHEAD',
    isShared: true,
    default: 86_400,
    description:
      'How far in the future the createdAt of a new transaction can be. Without a limit, a transaction with a mistyped date would stay first in every list.',
  }),
  rateLimit: setting<RateLimit | null>({
    ...rate(2),
    name: 'RATE_LIMIT',
    default: { perSecond: 1000, burst: 2000 },
    defaultText: '1000',
    description:
      'The number of requests a second that each process accepts from each API key. All keys have the same limit. After a pause, a key can send twice the limit at once. Further requests get 429 with Retry-After.',
  }),
  failedAuthenticationRateLimit: setting<RateLimit | null>({
    ...rate(10),
    name: 'FAILED_AUTHENTICATION_RATE_LIMIT',
    default: { perSecond: 100, burst: 1000 },
    defaultText: '100',
    description:
      'How many requests without a valid API key each process accepts in a second from one IPv4 address or IPv6 /64 network. After ten seconds without requests, a caller can send ten times the limit at once. All requests beyond the limit get 429.',
  }),
  connectionsPerAddress: setting({
    ...orOff(wholeNumberForm('number of connections', 1, 10_000)),
    name: 'CONNECTIONS_PER_ADDRESS',
    default: 1000,
    description:
      'The number of open connections that each listener of each process accepts from one address. Further connections are closed at once. An IPv6 /64 network counts as one address. Addresses in TRUSTED_PROXIES are exempt.',
  }),
  maxHeaderBytes: setting({
    ...wholeNumberForm('bytes', 8192, 131_072),
    name: 'HEADERS_MAX_BYTES',
    default: 16_384,
    description:
      "The largest size of a request's headers, including its first line. Larger headers get 431. Raise it if callers have large cookies.",
  }),
  keepAliveSeconds: setting({
    ...wholeNumberForm('seconds', 5, 7200),
    name: 'KEEP_ALIVE_TIMEOUT',
    default: 72,
    description:
      'How long a connection stays open between two requests. If the proxy in front keeps idle connections open longer than this, it answers some requests with 502.',
  }),
  drainSeconds: setting({
    ...wholeNumberForm('seconds', 0, 60),
    name: 'DRAIN_SECONDS',
    default: 0,
    description:
      'How long the service continues to answer requests after SIGTERM. During this time, /readyz returns 503, so that a proxy changes to other instances. The proxy must notice the 503 within this time.',
  }),
  trustedProxies: setting({
    ...NETWORK_LIST,
    name: 'TRUSTED_PROXIES',
    default: [],
    defaultText: 'none (X-Forwarded-For and X-Forwarded-Proto are ignored)',
    description:
      "The proxies in front of the service. The caller's address comes from a proxy's X-Forwarded-For. If a proxy's X-Forwarded-Proto is http, requests to paths that accept keys are refused.",
  }),
  publicUrl: setting<string | null>({
    ...PAGE_URL,
    name: 'PUBLIC_URL',
    default: null,
    defaultText: 'none (sessions have a code and no url)',
    description:
      'The public address of the page, such as https://payments.example/. Links of sessions begin with this address.',
  }),
  sessionReturnUrl: setting<string | null>({
    ...BROWSER_URL,
    name: 'SESSION_RETURN_URL',
    default: null,
    description:
      'When a session has ended, the page shows a link to this address. There, the platform signs the person in and opens the page with a new session.',
  }),
  embedOrigins: setting({
    ...ORIGIN_LIST,
    name: 'EMBED_ORIGINS',
    default: [],
    defaultText: 'none (the page cannot be shown in a frame)',
    description:
      "The origins whose pages can show the service's page in a frame. Name only origins of the platform, because a framing page can cover the service's page and misdirect clicks.",
  }),
  webhooks: setting<'on' | 'off'>({
    ...oneOf(['on', 'off']),
    name: 'WEBHOOKS',
    default: 'on',
    description:
      'With `on`, this instance delivers changes to webhooks. With `off`, other instances deliver, and this instance only manages endpoints.',
  }),
  webhookNetworks: setting({
    ...NETWORK_LIST,
    name: 'WEBHOOK_NETWORKS',
    isShared: true,
    default: [],
    defaultText: 'none (only public addresses)',
    description:
      'Networks that webhooks can reach in addition to public addresses, such as the private network of the receivers. The service connects to no other loopback, private, link-local or special address.',
  }),
  webhookHttp: setting<'true' | 'false'>({
    ...oneOf(['true', 'false']),
    name: 'WEBHOOK_HTTP',
    isShared: true,
    default: 'false',
    description:
      'With `true`, webhooks can have http URLs. Deliveries over http are signed, but not encrypted.',
  }),
  webhookProxy: secret<string | null>({
    ...PROXY_URL,
    name: 'WEBHOOK_PROXY',
    default: null,
    defaultText: 'none (webhooks are sent directly)',
    description:
      'The proxy for webhooks. The service sends CONNECT requests to the proxy for https URLs, and requests with the absolute URL for http URLs. The proxy resolves the names of receivers, so the proxy must refuse private and other special addresses. WEBHOOK_NETWORKS then applies only to URLs with an IP address. Set a proxy on all instances or on none.',
  }),
  oidcIssuer: setting<string | null>({
    ...OIDC_ISSUER,
    name: 'OIDC_ISSUER',
    default: null,
    defaultText: 'none (staff cannot sign in)',
    description:
      "The issuer of the OpenID Connect provider for the platform's staff, who sign in at /staff of the operator's interface. This setting requires OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL, OIDC_ROLES, PUBLIC_URL and OPERATOR_PORT.",
  }),
  oidcClientId: setting<string | null>({
    ...printable('client id'),
    name: 'OIDC_CLIENT_ID',
    default: null,
    description: 'The id of this service at the provider.',
  }),
  oidcClientSecret: secret<string | null>({
    ...printable('client secret'),
    name: 'OIDC_CLIENT_SECRET',
    default: null,
    description: 'The secret of this service at the provider.',
  }),
  oidcRedirectUrl: setting<string | null>({
    ...OIDC_REDIRECT_URL,
    name: 'OIDC_REDIRECT_URL',
    default: null,
    description:
      "The provider sends people back to this address of the operator's interface, such as https://operator.example/staff/callback. Register it at the provider.",
  }),
  oidcScopes: setting({
    ...OIDC_SCOPES,
    name: 'OIDC_SCOPES',
    default: 'openid email profile',
    description:
      'The scopes that the service requests from the provider. Some providers send groups only if a scope requests them.',
  }),
  oidcRoles: setting<readonly StaffRole[]>({
    ...OIDC_ROLES,
    name: 'OIDC_ROLES',
    default: [],
    defaultText: 'none',
    description:
      'The [roles](staff.md#roles) of staff, such as `groups:support=read,groups:eu=read@eu-,groups:security=audit`. Here, people in the group `eu` have the scope read for accounts whose names begin with `eu-`. Values can contain colons.',
  }),
  oidcPersonClaim: setting({
    ...printable('claim'),
    name: 'OIDC_PERSON_CLAIM',
    default: 'email',
    description:
      'The claim that names a person in sessions and in the audit trail. If the claim is email, the claim email_verified must be true or absent.',
  }),
  logLevel: setting<LogLevel>({
    ...oneOf(LOG_LEVELS),
    name: 'LOG_LEVEL',
    default: 'info',
    description:
      'The lowest severity that is logged. The level info includes a line for each request except successful probes.',
  }),
  logAddresses: setting<'on' | 'off'>({
    ...oneOf(['on', 'off']),
    name: 'LOG_ADDRESSES',
    default: 'off',
    description:
      "With `on`, the log line of each request contains the caller's address, which can be personal data. With `off`, only the log lines of responses with status 401 or 429 contain the address.",
  }),
  transactionsUrl: setting<string | null>({
    ...SERVICE_URL,
    name: 'TRANSACTIONS_URL',
    default: null,
    defaultText: 'none (commands use HOST and PORT over http://)',
    description: 'The URL of the service for the client and commands such as `transactions list`.',
  }),
  apiKey: secret<string | null>({
    ...API_KEY,
    name: 'TRANSACTIONS_API_KEY',
    default: null,
    description: 'The API key for the client and commands such as `transactions list`.',
  }),
};

type Settings = typeof SETTINGS;
type Values<IsSecret extends boolean> = {
  [Key in keyof Settings as Settings[Key]['isSecret'] extends IsSecret
    ? Key
    : never]: Settings[Key]['default'];
};

export type PublicConfig = Values<false>;

export type Config = PublicConfig & { secrets: Values<true> };
