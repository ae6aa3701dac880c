import { API_KEY_PREFIX, isWellFormedApiKey } from '../core/access/api-key.ts';
import type { RateLimit } from '../core/access/rate-limit.ts';
import { quote } from '../core/quote.ts';
import { BUILT_IN_STATUSES, declareStatuses, type Statuses } from '../core/status.ts';
import { explainDatabaseUrl, explainReplicaUrl } from '../store/open-store.ts';
import { isAddressRange, rate, type Setting, wholeNumber } from './setting-forms.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every setting, read and checked. Secrets stand apart, so that the rest may be logged. */
export interface Config {
  host: string;
  port: number;
  operatorHost: string;
  /** Null where the operator's interface is off. */
  operatorPort: number | null;
  databaseUrl: string;
  databaseConnections: number;
  databaseReplicaUrls: readonly string[];
  databaseReplicaMaxLagMs: number;
  requestTimeoutMs: number;
  statuses: Statuses;
  cursorLifetimeSeconds: number;
  logLevel: LogLevel;
  /** Of each key; null for no limit. */
  rateLimit: RateLimit | null;
  /** Of each address, for requests without a usable key; null for no limit. */
  failedAuthenticationRateLimit: RateLimit | null;
  /** On each listener; null for no limit of their own. */
  connectionsPerAddress: number | null;
  /** Addresses and CIDR ranges. */
  trustedProxies: readonly string[];
  secrets: {
    /** The first seals, all open; null for the one that the database keeps. */
    cursorSecrets: readonly string[] | null;
    /** What `transactions list` sends; null where none is given. */
    apiKey: string | null;
  };
}

function hostName(text: string): { value: string } | { faults: string[] } {
  if (/^[A-Za-z0-9.:_-]{1,253}$/.test(text)) return { value: text };
  return { faults: [`is ${quote(text)}, which is neither a host name nor an IP address`] };
}

const CURSOR_SECRET_MIN_CHARACTERS = 32;

export const SETTINGS: { [Key in Exclude<keyof Config, 'secrets'>]: Setting<Config[Key]> } & {
  cursorSecrets: Setting<Config['secrets']['cursorSecrets']>;
  apiKey: Setting<Config['secrets']['apiKey']>;
} = {
  host: {
    name: 'HOST',
    type: 'host name or IP address',
    bounds: 'an address of this machine',
    default: '127.0.0.1',
    description: 'Where the service listens. 0.0.0.0 or :: for every address.',
    absent: '127.0.0.1',
    parse: hostName,
  },
  port: {
    name: 'PORT',
    type: 'TCP port',
    bounds: '0 to 65535; 0 takes any free one',
    default: '3000',
    description: 'The port that the service listens on.',
    absent: 3000,
    parse: wholeNumber(0, 65_535),
  },
  operatorHost: {
    name: 'OPERATOR_HOST',
    type: 'host name or IP address',
    bounds: 'an address of this machine',
    default: '127.0.0.1',
    description: "Where the operator's interface listens. Keep it off the public network.",
    absent: '127.0.0.1',
    parse: hostName,
  },
  operatorPort: {
    name: 'OPERATOR_PORT',
    type: 'TCP port',
    bounds: '0 to 65535; 0 takes any free one',
    default: "none: the operator's interface is off",
    description: "The port of the operator's interface, which records transactions and makes keys.",
    absent: null,
    parse: wholeNumber(0, 65_535),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    type: 'address',
    bounds: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    default: 'sqlite:data/transactions.db',
    description:
      'The database: a file of SQLite, made where there is none, its path counted from the working directory; or a database of PostgreSQL 15 or later. Further hosts of PostgreSQL, separated by commas, are asked in turn until one is the primary.',
    absent: 'sqlite:data/transactions.db',
    parse: (text) => {
      const fault = explainDatabaseUrl(text);
      return fault === undefined ? { value: text } : { faults: [fault] };
    },
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    type: 'number of connections',
    bounds: '1 to 32',
    default: '2',
    description:
      'How many connections to PostgreSQL this process holds for lists, and as many for recordings where it records. Requests share them without waiting for each other, so that few are enough: one for each core that PostgreSQL may use for it. Up to two more each are made where lists are slow, or rows are held by other transactions of the database.',
    absent: 2,
    parse: wholeNumber(1, 32),
  },
  databaseReplicaUrls: {
    name: 'DATABASE_REPLICA_URLS',
    type: 'list of addresses, separated by commas',
    bounds: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE each, standbys of DATABASE_URL, one host each',
    default: 'none',
    description:
      'Standbys that lists are read from in turn, as long as they are fresh enough; otherwise the primary is asked. Within a walk, no page is older than one before.',
    absent: [],
    parse: (text) => {
      const urls = text.split(/,\s*(?=postgres(?:ql)?:)/).map((url) => url.trim());
      const faults = urls.flatMap((url, index) => {
        const fault = explainReplicaUrl(url);
        return fault === undefined ? [] : `has an entry ${index + 1} that ${fault}`;
      });
      return faults.length > 0 ? { faults } : { value: urls };
    },
  },
  databaseReplicaMaxLagMs: {
    name: 'DATABASE_REPLICA_MAX_LAG',
    type: 'milliseconds',
    bounds: '1000 to 600000',
    default: '2000',
    description: 'How far a replica may be behind the primary for lists to be read from it.',
    absent: 2000,
    parse: wholeNumber(1000, 600_000),
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT',
    type: 'milliseconds',
    bounds: '100 to 60000',
    default: '2000',
    description:
      'How long a request may take, from its head or from the end of its body. One that is not answered in time gets 503 and Retry-After; a recording may have been made all the same. Of a stream, it bounds each group of lines.',
    absent: 2000,
    parse: wholeNumber(100, 60_000),
  },
  statuses: {
    name: 'STATUSES',
    type: 'list of NAME:paid or NAME:unpaid, separated by commas',
    bounds: 'names of a-z, 0-9 and _, at most 32 characters',
    default: 'none: pending and completed alone',
    description: 'Further statuses. A paid one requires paidAt, an unpaid one forbids it.',
    absent: BUILT_IN_STATUSES,
    parse: (text) => {
      const declared = declareStatuses(text);
      if ('statuses' in declared) return { value: declared.statuses };
      return {
        faults: declared.faults.map(
          (fault) => `has a faulty entry: ${fault}; write it as failed:unpaid,refunded:paid`,
        ),
      };
    },
  },
  cursorLifetimeSeconds: {
    name: 'CURSOR_LIFETIME',
    type: 'seconds',
    bounds: '1 to 2592000 (30 days)',
    default: '86400 (24 hours)',
    description: 'How long a cursor may be used after the page that it came with.',
    absent: 86_400,
    parse: wholeNumber(1, 2_592_000),
  },
  cursorSecrets: {
    name: 'CURSOR_SECRETS',
    type: 'list of secrets, separated by commas',
    bounds: `each of at least ${CURSOR_SECRET_MIN_CHARACTERS} characters, none twice`,
    default: 'one that the database keeps',
    description:
      'The first seals new cursors, all open them. To change it without a failed request: add the new one behind the old on every instance, then put it in front on every instance, and take the old one away a lifetime of cursors later.',
    absent: null,
    parse: (text) => {
      const secrets = text.split(',').map((secret) => secret.trim());
      const faults = secrets.flatMap((secret, index) => {
        if (secret.length < CURSOR_SECRET_MIN_CHARACTERS) {
          return `has ${secret.length} characters in its secret ${index + 1}, and at least ${CURSOR_SECRET_MIN_CHARACTERS} are needed; make one with: openssl rand -hex 32`;
        }
        return secrets.indexOf(secret) < index ? `has its secret ${index + 1} twice` : [];
      });
      return faults.length > 0 ? { faults } : { value: secrets };
    },
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    type: 'requests a second, or off',
    bounds: '1 to 1000000',
    default: '1000',
    description:
      'How many requests each API key may send to each process; twice as many at once after a rest. The rest get 429 with Retry-After.',
    absent: { perSecond: 1000, burst: 2000 },
    parse: rate(2),
  },
  failedAuthenticationRateLimit: {
    name: 'FAILED_AUTHENTICATION_RATE_LIMIT',
    type: 'requests a second, or off',
    bounds: '1 to 1000000',
    default: '100',
    description:
      'How many requests without a usable API key each IPv4 address, and each /64 network of IPv6, may send to each process; ten times as many at once after a rest. The rest get 429.',
    absent: { perSecond: 100, burst: 1000 },
    parse: rate(10),
  },
  connectionsPerAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    type: 'number of connections, or off',
    bounds: '1 to 10000',
    default: '1000',
    description:
      'How many connections each address may have open to each listener of each process; those beyond are closed at once. Of IPv6, a /64 counts as one address. Addresses of TRUSTED_PROXIES are exempt.',
    absent: 1000,
    parse: (text) => {
      if (text === 'off') return { value: null };
      const parsed = wholeNumber(1, 10_000)(text);
      return 'value' in parsed ? parsed : { faults: parsed.faults.map((fault) => `${fault}, or off`) };
    },
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    type: 'list of IP addresses and CIDR ranges, separated by commas',
    bounds: 'such as 10.0.0.0/8,::1',
    default: 'none: X-Forwarded-For is not believed',
    description: 'The proxies in front of the service, so that the caller is known by its own address.',
    absent: [],
    parse: (text) => {
      const ranges = text.split(',').map((range) => range.trim());
      const wrong = ranges.filter((range) => !isAddressRange(range));
      if (wrong.length === 0) return { value: ranges };
      return { faults: wrong.map((range) => `holds ${quote(range)}, which is no IP address or CIDR range`) };
    },
  },
  logLevel: {
    name: 'LOG_LEVEL',
    type: 'word',
    bounds: LOG_LEVELS.join(', '),
    default: 'info',
    description: 'The least severity that is logged; info holds a line for each request.',
    absent: 'info',
    parse: (text) => {
      const level = LOG_LEVELS.find((known) => known === text);
      return level
        ? { value: level }
        : { faults: [`is ${quote(text)}, which is none of ${LOG_LEVELS.join(', ')}`] };
    },
  },
  apiKey: {
    name: 'TRANSACTIONS_API_KEY',
    type: 'API key',
    bounds: `${API_KEY_PREFIX} and 36 characters, as "transactions keys create" prints it`,
    default: 'none',
    description: 'The key of the account that `transactions list` shows. The service itself does not use it.',
    absent: null,
    parse: (text) =>
      isWellFormedApiKey(text)
        ? { value: text }
        : {
            faults: [
              `is not an API key of an account, or is misspelt; one is ${API_KEY_PREFIX} and 36 characters`,
            ],
          },
  },
};
