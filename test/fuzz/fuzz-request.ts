import type { Random } from '../rig/random.ts';

/** A request of any kind, most of them wrong. */
export interface FuzzRequest {
  to: 'public' | 'operator';
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** What is really there, so that some requests come close to a right one. */
export interface Surroundings {
  accountKey: string;
  operatorKey: string;
  cursors: readonly string[];
}

const STRANGE = [
  '',
  ' ',
  '%',
  '%zz',
  '%00',
  '%C3%28',
  '%ff%fe',
  '%F0%9F%98%80',
  '\u0000',
  'ä',
  '😀',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '[]',
  '{}',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '../../etc/passwd',
  "' OR 1=1 --",
  '"><script>',
  '{{7*7}}',
  '\r\nX-Injected: 1',
  'a'.repeat(300),
  'a'.repeat(4100),
  '%25'.repeat(100),
];
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Changes a text a little: cut, doubled, with a character changed, or something strange in it. */
export function mutated(random: Random, text: string): string {
  const at = random.integer(0, text.length);
  const rest = text.slice(at + random.integer(0, 1));
  switch (random.integer(0, 5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.pick([...PRINTABLE]) + rest;
    case 2:
      return text.slice(0, at) + random.pick(STRANGE) + text.slice(at);
    case 3:
      return text + text.slice(at);
    case 4:
      return text.slice(0, at) + rest;
    default:
      return random.chance(0.5) ? text.toUpperCase() : text.split('').reverse().join('');
  }
}

/** A value that is right, wrong by a little, or nothing of the kind. */
function about(random: Random, ...right: string[]): string {
  const choice = random.integer(0, 9);
  if (choice <= 4) return random.pick(right);
  if (choice <= 7) return mutated(random, random.pick(right));
  if (choice === 8) return random.pick(STRANGE);
  return random.text(PRINTABLE, 0, 40);
}

function aboutDate(random: Random): string {
  const year = random.pick(['2026', '2026', '2026', '2024', '0000', '9999', '0001', '10000', '-001']);
  const month = String(random.integer(0, 13)).padStart(2, '0');
  const day = String(random.integer(0, 32)).padStart(2, '0');
  return about(random, `${year}-${month}-${day}`, '2026-03-01', '2026-02-28');
}

export function fuzzRequest(random: Random, surroundings: Surroundings): FuzzRequest {
  const kind = random.integer(0, 9);
  if (kind <= 4) return listRequest(random, surroundings);
  if (kind === 5) return pathRequest(random, surroundings);
  if (kind <= 8) return recordingRequest(random, surroundings);
  return keyRequest(random, surroundings);
}

function listRequest(random: Random, surroundings: Surroundings): FuzzRequest {
  const parameter = (): string => {
    const known: readonly (readonly [string, () => string])[] = [
      ['status', () => about(random, 'pending', 'completed')],
      ['currency', () => about(random, 'EUR', 'USD', 'DEM', 'usd')],
      ['from', () => aboutDate(random)],
      ['to', () => aboutDate(random)],
      ['merchantReference', () => about(random, 'order-1', 'größer', 'x'.repeat(255), 'x'.repeat(256))],
      ['cursor', () => about(random, ...surroundings.cursors)],
      [random.pick(STRANGE), () => random.pick(STRANGE)],
      [about(random, 'limit', 'page', 'Status', 'status[]', 'from[$gt]'), () => '1'],
    ];
    const [name, value] = random.pick(known);
    const text = value();
    const written = random.chance(0.7) ? encodeURIComponent(text.toWellFormed()) : text;
    return `${name}${random.chance(0.95) ? '=' : random.pick(['', '==', ':', '%3D'])}${written}`;
  };
  const parameters = Array.from({ length: random.integer(0, 4) }, parameter);
  if (random.chance(0.1)) parameters.push(...parameters);
  return {
    to: 'public',
    method: random.chance(0.9) ? 'GET' : random.pick(METHODS),
    url: `/v1/transactions?${parameters.join(random.chance(0.95) ? '&' : random.pick([';', '&&', '?', '#']))}`,
    headers: headers(random, surroundings.accountKey, random.chance(0.85)),
  };
}

function pathRequest(random: Random, surroundings: Surroundings): FuzzRequest {
  const to = random.pick(['public', 'operator'] as const);
  const path = random.pick([
    '/v1/transactions/order.1',
    '/errors/invalid_status',
    '/livez',
    '/readyz',
    '/openapi.json',
    '/v1/accounts/shop/transactions/r1',
    '/v1/transactions/batch',
  ]);
  return {
    to,
    method: random.pick(METHODS),
    url: random.chance(0.2) ? `/${random.pick(STRANGE)}` : mutated(random, path),
    headers: headers(
      random,
      to === 'public' ? surroundings.accountKey : surroundings.operatorKey,
      random.chance(0.7),
    ),
  };
}

/** The header fields of a request: with the right key, or with anything in its place. */
function headers(random: Random, key: string, isRight: boolean): Record<string, string> {
  const some: Record<string, string> = isRight
    ? { authorization: `Bearer ${key}` }
    : random.chance(0.8)
      ? {
          authorization: about(
            random,
            `Bearer ${key}`,
            `bearer  ${key}`,
            `Basic ${key}`,
            `Bearer ${key}, ${key}`,
          ),
        }
      : {};
  if (random.chance(0.1)) some['request-id'] = about(random, 'a-good.id', 'x'.repeat(65));
  if (random.chance(0.1)) some['x-forwarded-for'] = about(random, '10.0.0.1', '::1, 1.2.3.4');
  if (random.chance(0.1)) some['accept-encoding'] = about(random, 'gzip', 'br;q=1');
  if (random.chance(0.1)) some['accept'] = about(random, 'text/html', 'application/json');
  if (random.chance(0.05)) some['if-none-match'] = about(random, '"x"', '*');
  if (random.chance(0.05)) some['range'] = about(random, 'bytes=0-1');
  if (random.chance(0.05)) some['x-long'] = 'x'.repeat(random.integer(0, 20_000));
  return some;
}

const FACT = {
  merchantReference: 'order-1',
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:30:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
};

function wrongValue(random: Random): unknown {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  return random.pick([
    null,
    true,
    random.integer(-5, 5),
    1e308,
    12.5,
    [],
    {},
    ['12.50'],
    { toString: 'x' },
    deep(200),
    random.pick(STRANGE),
    '2026-02-30T00:00:00.000Z',
    '2026-03-31T09:30:00.0001Z',
    '12.345',
    '1e3',
    '99999999999999.99',
    'x'.repeat(300),
  ]);
}

function wrongFact(random: Random): Record<string, unknown> {
  const fact: Record<string, unknown> = { ...FACT };
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick([...Object.keys(FACT), 'account', 'reference', random.pick(STRANGE)]);
    if (random.chance(0.3)) delete fact[name];
    else fact[name] = wrongValue(random);
  }
  return fact;
}

/** JSON that is whole, or cut, or of something else, or no text at all. */
function body(random: Random, value: unknown): string | Buffer {
  const text = JSON.stringify(value);
  const choice = random.integer(0, 9);
  if (choice <= 5) return text;
  if (choice <= 7) return mutated(random, text);
  if (choice === 8)
    return random.pick(['', '[]', 'null', '1', '"x"', '{"__proto__":{"a":1}}', '{"a":1,"a":2}']);
  return Buffer.from(random.bytes(random.integer(0, 200)));
}

function recordingRequest(random: Random, { operatorKey }: Surroundings): FuzzRequest {
  const account = encodeURIComponent(about(random, 'shop', 'shop-2').toWellFormed());
  const reference = encodeURIComponent(about(random, 'r1', 'r2', 'a'.repeat(64)).toWellFormed());
  const isBatch = random.chance(0.3);
  const isPut = random.chance(0.6);
  const lines = Array.from({ length: random.integer(0, 5) }, () =>
    body(random, { account: 'shop', reference: `r${random.integer(1, 9)}`, ...wrongFact(random) }),
  );
  const written = random.chance(0.1) ? { 'idempotency-key': about(random, 'key', 'x'.repeat(256)) } : {};
  const type = isBatch ? 'application/x-ndjson' : 'application/json';
  return {
    to: 'operator',
    method: random.chance(0.9) ? (isPut && !isBatch ? 'PUT' : 'POST') : random.pick(METHODS),
    url: isBatch
      ? '/v1/transactions/batch'
      : `/v1/accounts/${account}/transactions${isPut ? `/${reference}` : ''}`,
    headers: {
      ...headers(random, operatorKey, random.chance(0.9)),
      ...written,
      'content-type': random.chance(0.9)
        ? type
        : about(random, type, 'text/plain', 'application/json; charset=x'),
    },
    payload: isBatch
      ? Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
      : body(random, wrongFact(random)),
  };
}

function keyRequest(random: Random, { operatorKey }: Surroundings): FuzzRequest {
  // Many accounts, so that no list of keys grows for ever.
  const account = encodeURIComponent(about(random, `shop-${random.integer(1, 1_000_000)}`).toWellFormed());
  const method = random.pick(['POST', 'GET', 'DELETE']);
  const id = encodeURIComponent(about(random, 'key_0123456789abcdef').toWellFormed());
  const request = {
    label: random.chance(0.5) ? 'x' : wrongValue(random),
    expiresAt: random.chance(0.5) ? '2030-01-01T00:00:00.000Z' : wrongValue(random),
  };
  return {
    to: 'operator',
    method,
    url: `/v1/accounts/${account}/keys${method === 'DELETE' ? `/${id}` : ''}`,
    headers: {
      ...headers(random, operatorKey, random.chance(0.9)),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { payload: body(random, request) }),
  };
}
